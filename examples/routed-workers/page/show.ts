/** The page itself: takes the news, keeps the last minute of them, and shows it in numbers, words and the picture. */
import { type Chart, createChart } from './chart.js';
import {
  answers,
  type Count,
  KEPT_MS,
  type Mark,
  type News,
  type Sample,
  type Today,
} from './news.js';
import { sentence, stateOf } from './words.js';

const AGAIN_MS = 2_000;
const TOLD_MAX = 6;

let samples: readonly Sample[] = [];
let marks: readonly Mark[] = [];
let told: readonly Mark[] = [];
let chart: Chart | undefined;

function at(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no ${id}`);
  return element;
}

/** Only what is new is written: a screen reader reads the status whenever it is. */
function write(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

const button = at('kill');
const setIdle = (isIdle: boolean) => button.setAttribute('aria-disabled', `${!isIdle}`);

button.addEventListener('click', async () => {
  if (button.getAttribute('aria-disabled') === 'true') return;
  setIdle(false);
  const response = await fetch('/kill', { method: 'POST' }).catch(() => undefined);
  if (response?.ok === false) write(at('status'), await response.text());
});

function listen(): void {
  const source = new EventSource('/events');
  source.onmessage = ({ data }) => {
    const news: News = JSON.parse(data);
    if (news.type === 'end') gone(source);
    else take(news);
  };
  source.onerror = () => gone(source);
}

/** Whatever the reason: the same port may have the example again some time, and then all is told anew. */
function gone(source: EventSource): void {
  source.close();
  document.body.className = 'ended';
  setIdle(false);
  write(
    at('status'),
    'The example has ended. When it is started again at this port, the page goes on.',
  );
  setTimeout(listen, AGAIN_MS);
}

function take(news: Exclude<News, { type: 'end' }>): void {
  if (news.type === 'now') {
    document.body.className = '';
    ({ samples, marks } = news);
    told = marks.slice(-TOLD_MAX);
    chart ??= createChart(
      at('chart'),
      news.today.workers.map(({ name }) => name),
    );
    tell(news.today);
  } else if (news.type === 'sample') samples = [...samples, news.sample];
  else {
    marks = [...marks, news.mark];
    told = [...told, news.mark].slice(-TOLD_MAX);
    tell(news.today);
  }
  const sinceMs = (samples.at(-1)?.atMs ?? 0) - KEPT_MS;
  samples = samples.filter(({ atMs }) => atMs >= sinceMs);
  marks = marks.filter(({ atMs }) => atMs >= sinceMs);
  showNumbers(news.today);
  if (news.type !== 'mark') chart?.draw(samples, marks);
}

/** The newest first, and that one also where it is read aloud. */
function tell({ workers, withRetries }: Today): void {
  const last = told.at(-1);
  const all = workers.every(answers)
    ? `All five workers answer; ${withRetries.failed} asks with retries have failed.`
    : '';
  write(at('status'), last === undefined ? all : `${sentence(last)}. ${all}`);
  const texts = told.length === 0 ? ['Nothing yet.'] : told.toReversed().map(sentence);
  const items = texts.map((text) => {
    const item = document.createElement('li');
    item.textContent = text;
    return item;
  });
  at('story').replaceChildren(...items);
}

function showNumbers(today: Today): void {
  const { workers, withRetries, without } = today;
  const answered = samples.at(-1)?.answered ?? [];
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  write(at('total'), whole(answered.reduce((sum, each) => sum + each, 0)));
  const count = (number: string, small: string, { asked, failed, why }: Count) => {
    write(at(number), whole(failed));
    write(at(small), `of ${whole(asked)} asks`);
    at(small).title = why ?? '';
  };
  count('failed', 'asked', withRetries);
  count('plain-failed', 'plain-asked', without);
  at('failed').className = withRetries.failed > 0 ? 'bad' : '';
  setIdle(today.mayKill);
  const rows = at('workers').children;
  workers.forEach((worker, i) => {
    const texts = [worker.name, `${worker.pid ?? ''}`, whole(answered[i] ?? 0), stateOf(worker)];
    texts.forEach((text, column) => {
      const cell = rows[i]?.children[column];
      if (cell !== undefined) write(cell, text);
    });
  });
}

listen();

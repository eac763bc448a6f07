/** What goes on meanwhile, on stderr: which scenario, which step, and how long it may still take. */

const minutes = (seconds) =>
  seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;

export class Progress {
  #left;
  #wanted;
  #count;
  #current;
  #startedMs = 0;
  #expected = 0;
  #spent = 0;

  constructor(scenarios, wanted) {
    this.#wanted = wanted;
    this.#count = scenarios.length;
    this.#left = [...scenarios];
  }

  begin(scenario) {
    this.#current = scenario;
    this.#startedMs = performance.now();
    const rows = scenario.rows.filter((row) => this.#wanted.includes(row)).join(', ');
    const place = `[${this.#count - this.#left.length + 1}/${this.#count}]`;
    const all = this.#left.reduce((sum, each) => sum + this.#expect(each), 0);
    const time = `about ${minutes(this.#expect(scenario))} of ${minutes(all)}`;
    this.#say(`${place} ${scenario.name}: ${rows}; ${time}`);
  }

  step(text) {
    this.#say(`      ${minutes(this.#elapsed)}: ${text}`);
  }

  end(problem) {
    this.#left.shift();
    if (!this.#current.waits) {
      this.#spent += this.#elapsed;
      this.#expected += this.#current.seconds;
    }
    this.#say(problem ? `      FAILED: ${problem}` : `      done, ${minutes(this.#elapsed)}`);
  }

  get #elapsed() {
    return (performance.now() - this.#startedMs) / 1_000;
  }

  /** Seconds: what it takes on a machine of its own, times how much longer all has taken here so far. */
  #expect({ seconds, waits }) {
    if (waits || this.#expected === 0) return seconds;
    return seconds * Math.max(0.2, this.#spent / this.#expected);
  }

  #say(text) {
    process.stderr.write(`${text}\n`);
  }
}

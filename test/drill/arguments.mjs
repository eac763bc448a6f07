/** The command line of `npm run drill`, read once; what it says wrong is one sentence. */
import { parseArgs } from 'node:util';

export const HELP = `Real nodes on a network of their own that loses packets, once with datagrams and once with links alone.

  npm run drill                          no loss, 10, 30 and 50 %, four minutes each; about twenty minutes
  npm run drill -- --loss 50             one of them
  npm run drill -- --seconds 600         for longer
  npm run drill -- --nodes 7             more of them
  npm run drill -- --no-crash            without the crash that each ends with
  npm run drill -- --set KEY=VALUE       a setting of all nodes; may be given more than once
  npm run drill -- --json                the result as JSON on stdout; progress goes to stderr
  npm run drill -- --help                this

Takes Linux, root, and the commands ip and iptables (Debian: iproute2, iptables): each cluster gets a network
namespace, in which iptables drops so many of all packets between its nodes, TCP and UDP, either way. Nothing outside
of it is touched, and it is gone at the end.

Exit code: 0 measured, 1 it could not be, 64 usage.
`;

const FLAGS = {
  help: { type: 'boolean', short: 'h', default: false },
  'no-crash': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  loss: { type: 'string', default: '0,10,30,50' },
  seconds: { type: 'string', default: '240' },
  nodes: { type: 'string', default: '5' },
  set: { type: 'string', multiple: true, default: [] },
};

const isWithin = (number, least, most) =>
  Number.isInteger(number) && number >= least && number <= most;

/** The options, or what is wrong with them. */
export function readArguments(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: FLAGS }));
  } catch (error) {
    return { options: {}, problem: error.message };
  }
  const losses = values.loss.split(',').map((text) => (/^\d+$/.test(text) ? Number(text) : -1));
  if (!losses.every((each) => isWithin(each, 0, 90)))
    return { options: {}, problem: '--loss takes whole numbers of per cent up to 90, e.g. 10,30' };
  const [seconds, nodes] = [Number(values.seconds), Number(values.nodes)];
  if (!isWithin(seconds, 10, 86_400))
    return { options: {}, problem: '--seconds takes a whole number from 10 to 86400' };
  if (!isWithin(nodes, 3, 50))
    return { options: {}, problem: '--nodes takes a whole number from 3 to 50' };
  return { options: { ...values, losses, seconds, nodes } };
}

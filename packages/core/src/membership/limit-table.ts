/** What bounds each queue, map and frame of a node. */
import { count, duration } from './setting.js';

export const LIMITS = {
  members: count(5_000, [1, 50_000], 'members in a cluster; a joiner beyond it is refused'),
  joins: count(
    64,
    [1, 10_000],
    'joiners that one node serves at once; others are told to ask elsewhere',
  ),
  /**
   * At least one: a member that still holds another one unreachable has to hear it to take that back, and
   * may not observe it any more. If nobody answered strangers, such a row would stay for ever.
   */
  guestLinks: count(10, [1, 1_000], 'members answered that are not neighbours'),
  history: count(64, [4, 1_024], 'past states kept, so that a peer can be sent a difference'),
  relays: count(
    64,
    [1, 4_096],
    'members looked for on behalf of others at once; whoever asks beyond it is told no',
  ),
  peers: count(4_096, [16, 65_536], 'unique addresses that a node keeps notes on'),
  /**
   * Room for limits.members at the most that each may say about itself (`setting-combinations.ts`): a state
   * that fits into no frame could be told to nobody. It bounds what a proven peer may send; of others
   * a transport reads less.
   */
  frameBytes: count(
    67_108_864,
    [16_384, 1_073_741_824],
    'largest control frame; it must hold limits.members of the largest members',
  ),
  /** Whoever is no member says who it is, what it looks for, and at most its own entry in the state. */
  strangerBytes: count(
    65_536,
    [16_384, 1_073_741_824],
    'largest control frame of a node that is no member here; larger ones are ignored',
  ),
  /** With what is put around it within the 1,200 bytes that QUIC expects of every network (RFC 9000, 14). A probe takes a tenth. */
  datagramBytes: count(
    1_024,
    [0, 32_768],
    'largest frame that is also sent as a datagram, beside the links; 0 opens no UDP port',
  ),
  messageBytes: count(4_194_304, [1_024, 268_435_456], 'largest user message'),
  controlOutbox: count(256, [8, 65_536], 'control frames queued per link'),
  controlBuffered: count(
    1_048_576,
    [1_024, 268_435_456],
    'bytes handed to a control socket and not yet sent before frames queue',
  ),
  userOutbox: count(256, [1, 65_536], 'user messages queued per link'),
  correspondents: count(
    256,
    [1, 65_536],
    'members that are no neighbours and are kept linked for user messages',
  ),
  asks: count(10_000, [1, 1_000_000], 'asks of this node that wait for their answers'),
  userBuffered: count(
    4_194_304,
    [1_024, 268_435_456],
    'bytes handed to a user socket and not yet sent before messages queue',
  ),
  framesPerSecond: count(
    5_000,
    [10, 1_000_000],
    'frames per second from one peer; a control link that exceeds it is closed, a user link is read more slowly',
  ),
  handshake: duration(
    3_000,
    [50, 60_000],
    'a connection that has not proved itself by then is closed',
  ),
  pendingConnections: count(128, [1, 65_536], 'connections that have not yet proved themselves'),
  connectionsPerAddress: count(64, [1, 65_536], 'connections from one remote IP'),
  idleLink: duration(15_000, [100, 3_600_000], 'a link nobody wants is closed after this'),
  reconnectMin: duration(100, [1, 60_000], 'first pause before a lost link is dialled again'),
  reconnectMax: duration(3_000, [10, 600_000], 'longest pause between two dials'),
  flush: duration(500, [0, 60_000], 'longest that stopping waits for queued frames'),
} as const;

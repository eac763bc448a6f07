/**
 * What the world can do to a caller: one error class with a code, data and a cause. What only a
 * bug can do is an assertion (`membership/assert.ts`) and nobody catches it.
 */

/** Each code says what it left changed. */
export type ClusterErrorCode =
  /** A setting, option or argument cannot be used. Nothing was started or changed. `data.setting` names it. */
  | 'badSetting'
  /** A peer refused this node. Nothing was changed at the peer; this node has stopped. */
  | 'joinRefused'
  /** No seed let this node in within `join.giveUpAfter`. This node has stopped. */
  | 'joinTimedOut'
  /** No member of that name is known here. Nothing was changed. */
  | 'unknownMember'
  /** Downing it would leave no quorum. Nothing was changed. `data.missing` names the voters missing, `data.waysOut` what can be done. */
  | 'wouldLoseQuorum'
  /** That member is not up yet, so it cannot be asked to leave. Nothing was changed. */
  | 'notUp'
  /** This node is not (or no longer) a member. Nothing was changed. */
  | 'notMember'
  /** The node was stopped while the call waited. */
  | 'stopped'
  /** The caller's AbortSignal fired. What was asked for may still happen. */
  | 'aborted'
  /** There is no link to that node. The message was not sent. */
  | 'noLink'
  /** The message is above the size limit. It was not sent. */
  | 'tooLarge'
  /** The outbox to that node is full. The message was not sent. */
  | 'backPressure'
  /** The other node did not answer in time. It may have done what it was asked, or still do it. */
  | 'askTimedOut'
  /** The other node answered with an error: its message; `data.name`, `data.code` and `data.from` are the error's own. With `data.isRefused` it was not begun there. */
  | 'askFailed'
  /** At the other node nobody subscribes to messages. Arrives as `data.code` of an `askFailed`. */
  | 'nobodyAnswers'
  /** At the other node there is no actor at that path. Arrives as `data.code` of an `askFailed`. */
  | 'noActor'
  /** The member was removed while the call waited. A message was not sent; what was asked may have been done. */
  | 'memberGone'
  /** A router has nobody to send to, or had nobody for as long as it was to wait. Nothing was sent. */
  | 'noRoutee'
  /** The listening socket could not be bound. Nothing was started. */
  | 'cannotListen';

/** Switch on the code; each code's documentation says what it left changed. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';
  readonly code: ClusterErrorCode;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    code: ClusterErrorCode,
    message: string,
    data: Readonly<Record<string, unknown>> = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.data = data;
  }
}

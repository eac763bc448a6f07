/** Something that will happen at a known moment of virtual time: a timer or a packet. */
export abstract class ScheduledEvent {
  /** It stands in the queue; it can be there once only. */
  isWaiting = false;
  /** Taken back while it waited: the queue drops it when its moment comes. */
  isCancelled = false;
  abstract fire(): void;
}

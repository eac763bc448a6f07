/** What a transport has carried and turned away since it was made, for metrics and for benchmarks. */

export interface TransportCounts {
  /** Control frames and their payload bytes. */
  framesSent: number;
  bytesSent: number;
  framesReceived: number;
  bytesReceived: number;
  /** Control frames that no outbox had room for. */
  framesDropped: number;
  /** Frames that went, or came, beside the links; and datagrams that were none, or more than `limits.framesPerSecond`. */
  datagramsSent: number;
  datagramsReceived: number;
  datagramsIgnored: number;
  /** User messages and their bytes. */
  messagesSent: number;
  messageBytesSent: number;
  messagesReceived: number;
  messageBytesReceived: number;
  /** User messages that could not be read and cost nothing but themselves: a class that this node does not know, a circle. */
  messagesUnreadable: number;
  /** Frames and messages that could not be read; each cost its connection. */
  undecodable: number;
  /** Connections closed for breaking a limit. */
  overLimit: number;
  /** Handshakes that ended in a refusal at this end. */
  refused: number;
}

export const noCounts = (): TransportCounts => ({
  framesSent: 0,
  bytesSent: 0,
  framesReceived: 0,
  bytesReceived: 0,
  framesDropped: 0,
  datagramsSent: 0,
  datagramsReceived: 0,
  datagramsIgnored: 0,
  messagesSent: 0,
  messageBytesSent: 0,
  messagesReceived: 0,
  messageBytesReceived: 0,
  messagesUnreadable: 0,
  undecodable: 0,
  overLimit: 0,
  refused: 0,
});

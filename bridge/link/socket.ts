// The WebSocket as the room link needs it: a port, so that each runtime brings its own.

/** Where a link is opened; the headers are those of an operation. */
export interface LinkTarget {
  url: string;
  headers: Readonly<Record<string, string>>;
}

/** How a socket ended. */
export interface SocketEnd {
  /** The close code of an open socket. */
  code?: number;
  /**
   * HTTP status with which the upgrade was refused; `unknown` where the runtime does not tell a
   * refusal from a network failure.
   */
  refusedStatus?: number | 'unknown';
}

export interface SocketEvents {
  opened: () => void;
  received: (text: string) => void;
  /** Called exactly once, also for a socket that never opened. */
  closed: (end: SocketEnd) => void;
}

export interface Socket {
  send: (text: string) => void;
  /** Says goodbye first; at any time, also while opening. */
  close: () => void;
  /** Drops the connection at once. */
  terminate: () => void;
}

export type OpenSocket = (target: LinkTarget, events: SocketEvents) => Socket;

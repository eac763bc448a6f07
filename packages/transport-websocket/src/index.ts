/** The public names of @rollcall/transport-websocket. */
export {};

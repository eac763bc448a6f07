/** The public names of rollcall. */
export {};

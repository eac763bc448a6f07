/** The public names of @rollcall/management. */
export {};

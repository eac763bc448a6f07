/** The public names of @rollcall/simulator. */
export {};

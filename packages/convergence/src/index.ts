/** The public names of @rollcall/convergence. */
export {};

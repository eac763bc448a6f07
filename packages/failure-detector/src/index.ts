/** The public names of @rollcall/failure-detector. */
export {};

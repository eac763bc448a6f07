/** Where management listens: `HOST:PORT`, on loopback unless told otherwise. */

export interface ManagementAddress {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
}

/** `HOST:PORT` (an IPv6 host in brackets) or a `PORT` alone on 127.0.0.1; undefined when it is neither. */
export function readManagementAddress(text: string): ManagementAddress | undefined {
  const [, bracketed, plain, digits] =
    /^(?:(?:\[([\da-f:.]+)\]|([\w.-]+)):)?(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) return undefined;
  return { host: bracketed ?? plain ?? '127.0.0.1', port };
}

/** Can only this machine reach it. A name other than localhost may mean anything. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|::1|(0{1,4}:){7}0{0,3}1)$/i.test(host);

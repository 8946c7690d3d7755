/** Where a server of a service is reached from the control plane's own host, by whoever has a login. */
export interface DatabaseAddress {
  /** An address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  /** Of the authority that the server's certificate comes from; null: it speaks no TLS. */
  readonly authorityPem: string | null;
}

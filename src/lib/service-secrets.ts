/** What a service keeps secret: made once at its create, kept encrypted by the store, used by its platform. */
export interface ServiceSecrets {
  /** SCRAM-SHA-256 verifier of tsdbadmin's first password; the password itself is kept nowhere. */
  readonly adminVerifier: string;
  readonly replicationPassword: string;
  readonly rewindPassword: string;
  /** Of the role that reads what is true inside the servers; a member of pg_monitor. */
  readonly monitorPassword: string;
  /** For the unsafe half of Patroni's REST interface. */
  readonly patroniPassword: string;
  /** Of the role by which the pooler looks up the passwords of those who log in. */
  readonly poolerPassword: string;
  /** From which the members make the passes of the pooler's connections; the pooler never learns it. */
  readonly poolerKey: string;
  /** How a fork reaches its parent's data; null for every other service. */
  readonly parent: { readonly serviceId: string; readonly replicationPassword: string } | null;
}

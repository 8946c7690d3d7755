export interface Replicas {
  readonly count: number;
  /** How many of them. */
  readonly synchronous: number;
}

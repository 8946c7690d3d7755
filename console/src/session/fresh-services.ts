/**
 * What is only known of services that were made a moment ago, anew or as a fork: the password above all, which the API
 * tells once. It is in the memory of this tab alone, until the page that shows it is left.
 */

export interface FreshService {
  readonly password: string;
  /** By the server's clock, in milliseconds of the epoch. */
  readonly acceptedAt: number;
  /** How many synchronous replicas were asked for after the create, and why that was refused; null: it was not. */
  readonly synchronous: { readonly count: number; readonly refused: Error } | null;
}

const services = new Map<string, FreshService>();

export function keepFresh(serviceId: string, fresh: FreshService): void {
  services.set(serviceId, fresh);
}

export function freshService(serviceId: string): FreshService | null {
  return services.get(serviceId) ?? null;
}

export function forgetFresh(): void {
  services.clear();
}

/**
 * What is only known of services that were created a moment ago: the password above all. It is in the memory of this page
 * alone, and gone with it.
 */

export interface FreshService {
  readonly password: string;
  /** By this machine's clock, in milliseconds of the epoch. */
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

export function forgetFresh(serviceId: string): void {
  services.delete(serviceId);
}

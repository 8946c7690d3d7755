/** The settings that decide how an installation behaves, in words, for its operator. None of them is a secret. Pure. */
import type { Config } from "./config.ts";

export interface SettingInForce {
  /** The environment variable. */
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
}

export function settingsInForce(config: Config): readonly SettingInForce[] {
  const rows: readonly (readonly [string, string | number, string])[] = [
    ["HOWDAH_PLATFORM", config.platform, "where databases run"],
    ["HOWDAH_PUBLIC_HOST", config.publicHost, "the name that endpoints carry"],
    ["HOWDAH_SIZES", sizesOf(config), "sizes on offer, cpu_millis/memory_gbs"],
    ["HOWDAH_CPU_OVERCOMMIT", config.cpuOvercommit, "how many times over CPU is promised"],
    ["HOWDAH_MEMORY_OVERCOMMIT", config.memoryOvercommit, "how many times over memory is promised"],
    ["HOWDAH_CONCURRENCY", config.concurrency, "services worked on at a time"],
    ["HOWDAH_RATE_LIMIT", config.rateLimit, "requests in 10 seconds with one key"],
    ["HOWDAH_EVENT_DAYS", config.eventDays, "days that events are kept"],
    ["HOWDAH_AUDIT_DAYS", config.auditDays, "days that the audit is kept"],
    ["HOWDAH_WEBHOOK_ALLOW_CIDRS", listOf(config.webhookAllow), "where webhooks may go beside the internet"],
    ["HOWDAH_TRUSTED_PROXIES", listOf(config.trustedProxies), "whose X-Forwarded-For is believed"],
  ];
  return rows.map(([name, value, meaning]) => ({ name, value: String(value), meaning }));
}

function sizesOf({ sizes }: Config): string {
  return sizes.map(({ cpuMillis, memoryGbs }) => `${cpuMillis}/${memoryGbs}`).join(", ");
}

function listOf(ranges: readonly string[]): string {
  return ranges.length === 0 ? "none" : ranges.join(", ");
}

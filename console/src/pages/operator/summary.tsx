/** The installation at a glance: whether somebody has to look closer. */
import { Text } from "@mantine/core";
import { Check, CircleDashed, type LucideIcon, TriangleAlert } from "lucide-react";
import type { OverviewRecord } from "../../../../src/client/index.ts";
import type { Mood } from "../../ui/mood.ts";
import classes from "./operator-page.module.css";

interface Fact {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  readonly mood: keyof typeof SIGNS;
}

const SIGNS = {
  good: Check,
  busy: CircleDashed,
  warn: TriangleAlert,
  bad: TriangleAlert,
} as const satisfies Partial<Record<Mood, LucideIcon>>;

export function Summary({ overview }: { overview: OverviewRecord }) {
  return (
    <dl className={classes["summary"]}>
      {facts(overview).map(({ name, value, note, mood }) => {
        const Sign = SIGNS[mood];
        return (
          <div key={name} className={classes["fact"]} data-mood={mood}>
            <dt>{name}</dt>
            <dd>
              <span className={classes["value"]}>
                <Sign size={16} strokeWidth={2.5} aria-hidden />
                {value}
              </span>
              <Text span size="xs" c="dimmed" truncate title={note}>
                {note}
              </Text>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function facts({ regions, jobs, failures, webhooks }: OverviewRecord): readonly Fact[] {
  const silent = regions.filter(({ engine }) => !engine.answers);
  const services = regions.reduce((sum, region) => sum + region.services, 0);
  const members = regions.reduce((sum, region) => sum + region.members, 0);
  const { overdue = 0, failing = 0, unreachable = 0 } = jobs.by_state;
  const stuck = overdue + failing + unreachable;
  const failed = failures.newest.length;
  return [
    {
      name: "Engines",
      value: silent.length === 0 ? "All answer" : `${silent.length} of ${regions.length} silent`,
      note: regions.map(({ code }) => code).join(", "),
      mood: silent.length === 0 ? "good" : "bad",
    },
    {
      name: "Services",
      value: String(services),
      note: `${members} members promised`,
      mood: "good",
    },
    {
      name: "Left to do",
      value: jobs.total === 0 ? "Nothing" : count(jobs.total, "service"),
      note: stuck === 0 ? "none overdue or failing" : `${stuck} overdue, failing or unreachable`,
      mood: stuck > 0 ? "bad" : jobs.total > 0 ? "busy" : "good",
    },
    {
      name: "Failures within a day",
      value: failed === 0 ? "None" : failed >= MOST_TOLD ? `${failed} or more` : String(failed),
      note: "of all projects",
      mood: failed > 0 ? "warn" : "good",
    },
    {
      name: "Webhooks",
      value: webhooks.length === 0 ? "All taken" : `${webhooks.length} failing`,
      note: "of all projects",
      mood: webhooks.length > 0 ? "warn" : "good",
    },
  ];
}

/** The API tells no more of them at once. */
const MOST_TOLD = 100;

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? "" : "s"}`;
}

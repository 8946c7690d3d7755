/** What happened, newest first, by day: each event with who and when. */
import { Button, Group, Skeleton, Stack, Text, Title, type TitleOrder } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { now } from "../session/clock.ts";
import { Actor } from "./actor.tsx";
import { dayOf } from "./day.ts";
import { ErrorNotice } from "./error-notice.tsx";
import { eventSign } from "./event-sign.ts";
import classes from "./event-timeline.module.css";
import { Moment } from "./moment.tsx";

/** As the API's events are; those of other places may tell less. */
export interface TimelineEvent {
  readonly id: string;
  readonly at: string;
  readonly type: string;
  readonly message: string;
  /** Left out: it is not told. */
  readonly actor?: string;
  readonly service_id?: string | undefined;
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface EventTimelineProps {
  /** Newest first; left out: they are still to come. */
  readonly events: readonly TimelineEvent[] | undefined;
  /** Why they cannot be shown. */
  readonly error?: Error | null;
  readonly onRetry?: () => void;
  /** The name of a service, or null where it is gone; left out: all are about the same, and it is not named. */
  readonly serviceName?: (serviceId: string) => string | null;
  /** What else is told beside one, such as its project. */
  readonly aside?: (event: TimelineEvent) => ReactNode;
  /** What stands there where nothing has happened. */
  readonly empty?: ReactNode;
  /** Loads older ones; left out: there are none. */
  readonly onOlder?: (() => void) | undefined;
  readonly loadingOlder?: boolean;
  /** The level of the headings of days; 2 where it is left out. */
  readonly headings?: TitleOrder;
}

const SKELETONS = 6;

export function EventTimeline(props: EventTimelineProps) {
  const { events, error = null, onRetry, empty, onOlder, loadingOlder = false, headings = 2 } = props;
  const [openedAt] = useState(() => new Date(now()).toISOString());
  if (error && !events)
    return <ErrorNotice error={error} title="What happened cannot be shown" onRetry={onRetry} />;
  if (!events) return <Loading />;
  if (events.length === 0) return empty ?? <Text c="dimmed">Nothing has happened yet.</Text>;
  const days = Map.groupBy(events, ({ at }) => dayOf(at, new Date(now())));
  return (
    <div>
      {[...days].map(([day, ofDay]) => (
        <section key={day}>
          <Title order={headings} className={classes["day"]}>
            {day}
          </Title>
          <ol className={classes["list"]}>
            {ofDay.map((event) => (
              <Row
                key={event.id}
                event={event}
                // What comes while one looks moves in; what older pages bring does not.
                fresh={event.at > openedAt}
                {...props}
              />
            ))}
          </ol>
        </section>
      ))}
      {error && <ErrorNotice error={error} title="Older events cannot be shown" onRetry={onOlder} />}
      {onOlder && !error && (
        <Group justify="center" mt="lg">
          <Button variant="default" size="sm" onClick={onOlder} loading={loadingOlder}>
            Show older events
          </Button>
        </Group>
      )}
    </div>
  );
}

interface RowProps extends Pick<EventTimelineProps, "serviceName" | "aside"> {
  readonly event: TimelineEvent;
  readonly fresh: boolean;
}

function Row({ event, fresh, serviceName, aside }: RowProps) {
  const { at, type, message, actor = "howdah", service_id: serviceId, data } = event;
  const { icon: Icon, mood } = eventSign({ type, actor, ...(data ? { data } : {}) });
  return (
    <li className={classes["event"]} data-mood={mood} data-fresh={fresh || undefined}>
      <span className={classes["sign"]} aria-hidden>
        <Icon size={14} strokeWidth={2.25} />
      </span>
      <div className={classes["words"]}>
        <Text className={classes["message"]}>{message}</Text>
        <div className={classes["facts"]}>
          {serviceName && serviceId !== undefined && (
            <ServiceName serviceId={serviceId} name={serviceName(serviceId)} />
          )}
          {aside?.(event)}
          <Moment at={at} />
          {event.actor !== undefined && <Actor actor={event.actor} />}
          <span className={classes["type"]}>{type}</span>
        </div>
      </div>
    </li>
  );
}

function ServiceName({ serviceId, name }: { serviceId: string; name: string | null }) {
  if (name === null)
    return (
      <span className={classes["type"]} title="This service is gone.">
        {serviceId}
      </span>
    );
  return (
    <Link to="/services/$serviceId" params={{ serviceId }} className={classes["service"]} title={name}>
      {name}
    </Link>
  );
}

function Loading() {
  return (
    <Stack gap={18} aria-busy aria-label="Loading events">
      {Array.from({ length: SKELETONS }, (_, index) => (
        <Group key={index} gap={12} wrap="nowrap" align="flex-start">
          <Skeleton circle h={26} w={26} />
          <Stack gap={7} flex={1} pt={4}>
            <Skeleton h={13} w={`${70 - (index % 3) * 14}%`} />
            <Skeleton h={10} w={180} />
          </Stack>
        </Group>
      ))}
    </Stack>
  );
}

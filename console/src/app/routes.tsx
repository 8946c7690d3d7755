/**
 * Every page and its address, after the #: what is before that belongs to whoever serves the console. Pages are loaded when
 * somebody goes there, but for the two that everybody begins with.
 */
import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { type MetricsSearch, metricsSearch } from "../pages/service/metrics/search.ts";
import { readSearch as readServiceSearch } from "../pages/services/service-search.ts";
import { ServicesPage } from "../pages/services/services-page.tsx";
import { SignInPage } from "../pages/sign-in/sign-in-page.tsx";
import { forgetFresh } from "../session/fresh-services.ts";
import { getSession } from "../session/session.ts";
import { keepToken } from "../session/sign-in-link.ts";
import { insist } from "./insist.ts";
import { PageFailed, PageMissing, PagePending } from "./page-states.tsx";
import { SignedInShell } from "./shell.tsx";
import { SwitchProject } from "./switch-project.tsx";

const whenNeeded: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => insist(load), name);

const root = createRootRoute({ component: Outlet });

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: (search): { next?: string } =>
    typeof search["next"] === "string" ? { next: search["next"] } : {},
  component: SignInPage,
});

const signInLink = createRoute({
  getParentRoute: () => root,
  path: "/sign-in/$token",
  beforeLoad: ({ params }) => {
    keepToken(params.token);
    throw redirect({ to: "/sign-in", search: {}, replace: true });
  },
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  component: SignedInShell,
  beforeLoad: ({ location }) => {
    if (!getSession().current) throw redirect({ to: "/sign-in", search: { next: location.href } });
  },
});

const project = createRoute({
  getParentRoute: () => root,
  path: "/projects/$projectId",
  component: SwitchProject,
});

const home = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/services" });
  },
});

const services = createRoute({
  getParentRoute: () => signedIn,
  path: "/services",
  validateSearch: readServiceSearch,
  component: ServicesPage,
});

const create = createRoute({
  getParentRoute: () => signedIn,
  path: "/create",
  component: whenNeeded(() => import("../pages/create/pages.ts"), "CreatePage"),
});

const service = createRoute({
  getParentRoute: () => signedIn,
  path: "/services/$serviceId",
  component: whenNeeded(() => import("../pages/service/service-page.tsx"), "ServicePage"),
});

const created = createRoute({
  getParentRoute: () => signedIn,
  path: "/services/$serviceId/created",
  component: whenNeeded(() => import("../pages/create/pages.ts"), "CreatedPage"),
  onLeave: forgetFresh,
});

const overview = createRoute({
  getParentRoute: () => service,
  path: "/",
  component: whenNeeded(() => import("../pages/service/overview/overview-tab.tsx"), "OverviewTab"),
});

const metrics = createRoute({
  getParentRoute: () => service,
  path: "/metrics",
  validateSearch: (search): MetricsSearch => metricsSearch(search),
  component: whenNeeded(() => import("../pages/service/metrics/metrics-tab.tsx"), "MetricsTab"),
});

const logs = createRoute({
  getParentRoute: () => service,
  path: "/logs",
  validateSearch: (search): { node?: string } =>
    typeof search["node"] === "string" ? { node: search["node"] } : {},
  component: whenNeeded(() => import("../pages/service/logs/logs-tab.tsx"), "LogsTab"),
});

const serviceEvents = createRoute({
  getParentRoute: () => service,
  path: "/events",
  component: whenNeeded(() => import("../pages/service/events/events-tab.tsx"), "EventsTab"),
});

const query = createRoute({
  getParentRoute: () => service,
  path: "/query",
  component: whenNeeded(() => import("../pages/query/query-tab.tsx"), "QueryTab"),
});

const settings = createRoute({
  getParentRoute: () => service,
  path: "/settings",
  component: whenNeeded(() => import("../pages/service/settings/settings-tab.tsx"), "SettingsTab"),
});

const activity = createRoute({
  getParentRoute: () => signedIn,
  path: "/activity",
  validateSearch: (search): { kind?: string; service?: string } => ({
    ...(typeof search["kind"] === "string" ? { kind: search["kind"] } : {}),
    ...(typeof search["service"] === "string" ? { service: search["service"] } : {}),
  }),
  component: whenNeeded(() => import("../pages/activity/activity-page.tsx"), "ActivityPage"),
});

const vpcs = createRoute({
  getParentRoute: () => signedIn,
  path: "/vpcs",
  component: whenNeeded(() => import("../pages/vpcs/vpcs-page.tsx"), "VpcsPage"),
});

const webhooks = createRoute({
  getParentRoute: () => signedIn,
  path: "/webhooks",
  component: whenNeeded(() => import("../pages/webhooks/webhooks-page.tsx"), "WebhooksPage"),
});

const audit = createRoute({
  getParentRoute: () => signedIn,
  path: "/audit",
  component: whenNeeded(() => import("../pages/audit/audit-page.tsx"), "AuditPage"),
});

const operator = createRoute({
  getParentRoute: () => signedIn,
  path: "/operator",
  component: whenNeeded(() => import("../pages/operator/operator-page.tsx"), "OperatorPage"),
});

const elsewhere = createRoute({ getParentRoute: () => signedIn, path: "$", component: PageMissing });

const routeTree = root.addChildren([
  signIn,
  signInLink,
  project,
  signedIn.addChildren([
    home,
    services,
    create,
    created,
    service.addChildren([overview, metrics, logs, serviceEvents, query, settings]),
    activity,
    vpcs,
    webhooks,
    audit,
    operator,
    elsewhere,
  ]),
]);

export const router = createRouter({
  routeTree,
  history: createHashHistory(),
  defaultPreload: "intent",
  defaultPendingComponent: PagePending,
  defaultErrorComponent: PageFailed,
  defaultNotFoundComponent: PageMissing,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

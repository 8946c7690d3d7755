/**
 * What was changed in the settings and not saved. It is kept while the service's page is open, whichever tab or section is
 * looked at; leaving the page asks first.
 */
import {
  createContext,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  use,
  useCallback,
  useMemo,
  useState,
} from "react";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import type { AllowListDraft } from "./settings/allow-list.ts";
import type { Draft as ParametersDraft } from "./settings/parameters/draft.ts";
import type { Replicas } from "./settings/replicas.ts";
import { SECTIONS } from "./settings/sections.ts";
import type { OfferedSize } from "./settings/size-cards.tsx";

/** By section; null: everything is saved. */
export interface Drafts {
  /** The name as it was typed. */
  readonly general: string | null;
  readonly size: OfferedSize | null;
  readonly replicas: Replicas | null;
  readonly parameters: ParametersDraft | null;
  readonly access: AllowListDraft | null;
}

const NONE: Drafts = { general: null, size: null, replicas: null, parameters: null, access: null };

interface Kept {
  readonly drafts: Drafts;
  readonly setDrafts: Dispatch<SetStateAction<Drafts>>;
}

const DraftsContext = createContext<Kept | null>(null);

export function DraftsProvider({ serviceId, children }: { serviceId: string; children: ReactNode }) {
  const [drafts, setDrafts] = useState(NONE);
  const kept = useMemo(() => ({ drafts, setDrafts }), [drafts]);
  const unsaved = titlesOf(drafts);
  return (
    <DraftsContext value={kept}>
      {children}
      <LeaveGuard
        needed={unsaved.length > 0}
        mayGo={(pathname) => isWithin(serviceId, pathname)}
        title="Not everything is saved"
        leave="Leave without saving"
      >
        What was changed under {inWords(unsaved)} is lost when you leave this service.
      </LeaveGuard>
    </DraftsContext>
  );
}

export function useDraft<Section extends keyof Drafts>(section: Section) {
  const { drafts, setDrafts } = useKept();
  const setDraft = useCallback(
    (next: (now: Drafts[Section]) => Drafts[Section]) =>
      setDrafts((all) => ({ ...all, [section]: next(all[section]) })),
    [section, setDrafts],
  );
  return [drafts[section], setDraft] as const;
}

/** The titles of the sections with something that is not saved. */
export function useUnsaved(): readonly string[] {
  return titlesOf(useKept().drafts);
}

/** "General", "General and Size", "General, Size and Parameters" */
export function inWords(titles: readonly string[]): string {
  return new Intl.ListFormat("en-GB").format(titles);
}

function useKept(): Kept {
  const kept = use(DraftsContext);
  if (!kept) throw new Error("this is not on the page of a service");
  return kept;
}

function titlesOf(drafts: Drafts): readonly string[] {
  const changed = new Map(Object.entries(drafts).filter(([, draft]) => draft !== null));
  return SECTIONS.filter(({ id }) => changed.has(id)).map(({ title }) => title);
}

/** Whether a page is one of the service's tabs. */
function isWithin(serviceId: string, pathname: string): boolean {
  const base = `/services/${serviceId}`;
  if (pathname === `${base}/created`) return false;
  return pathname === base || pathname.startsWith(`${base}/`);
}

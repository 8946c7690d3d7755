/** Who did what from where: a record of every request that would change something, whatever becomes of it. */
import type { FastifyBaseLogger, FastifyRequest } from "fastify";
import { Value } from "typebox/value";
import type { ErrorCode } from "../contract/errors.ts";
import { beginAuditRecord, endAuditRecord } from "../store/audit.ts";
import type { Store } from "../store/db.ts";
import type { Caller } from "../store/keys.ts";
import { DryRunQuery, isDryRun } from "./dry-run.ts";
import { isId } from "./missing.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The id of its record, once that is written; null: it has none. */
    auditRecord: Promise<number> | null;
    /** It is past everything that could refuse it before: from here on it may have changed something. */
    mayHaveChanged: boolean;
    /** What it was refused with. */
    refusal: ErrorCode | null;
  }
}

export interface Audit {
  /** Begins the record of a request whose key is known; nothing waits for it yet. */
  begin(request: FastifyRequest, caller: Caller): void;
  /** Resolves once the record will last as long as whatever changes after this. Throws what the store throws. */
  begun(request: FastifyRequest): Promise<void>;
  /** Never fails. */
  end(request: FastifyRequest, status: number, log: FastifyBaseLogger): Promise<void>;
}

const LONGEST_PATH = 512;

export function createAudit({ db }: Pick<Store, "db">): Audit {
  return {
    begin(request, caller) {
      const { schema } = request.routeOptions;
      request.auditRecord = beginAuditRecord(db, {
        projectId: caller.projectId,
        publicKey: caller.publicKey,
        keyName: caller.keyName,
        operation: operationOf(schema) ?? "unknown",
        method: request.method,
        path: (request.url.split("?")[0] ?? "").slice(0, LONGEST_PATH),
        serviceId: serviceOf(request.params),
        remoteAddress: request.ip,
        requestId: request.id,
      });
      // Awaited before anything changes; until then it must not count as forgotten.
      request.auditRecord.catch(() => undefined);
    },
    async begun(request) {
      await request.auditRecord;
      request.mayHaveChanged = request.auditRecord !== null && !isRehearsal(request.query);
    },
    async end(request, status, log) {
      if (!request.auditRecord) return;
      try {
        await endAuditRecord(db, await request.auditRecord, { status, errorCode: request.refusal });
      } catch (error) {
        log.warn({ err: error }, "the outcome of a request is missing in the audit");
      }
    },
  };
}

function isRehearsal(query: unknown): boolean {
  return Value.Check(DryRunQuery, query) && isDryRun(query);
}

function operationOf(schema: unknown): string | null {
  return typeof schema === "object" && schema !== null && "operationId" in schema
    ? String(schema.operationId)
    : null;
}

function serviceOf(params: unknown): string | null {
  if (typeof params !== "object" || params === null || !("service_id" in params)) return null;
  const id = String(params.service_id);
  return isId(id) ? id : null;
}

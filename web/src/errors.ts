import type * as api from "./api";

export class StrawError extends Error implements api.StrawError {
  override readonly name = "StrawError";
  readonly kind: api.Failure["kind"];
  readonly field?: string;
  readonly offset?: api.Count;
  readonly line?: number;
  readonly column?: number;
  readonly info?: api.Info;

  constructor(failure: api.Failure & { info?: api.Info }) {
    super(failure.message);
    this.kind = failure.kind;
    if (failure.field !== undefined) this.field = failure.field;
    if (failure.offset !== undefined) this.offset = failure.offset;
    if (failure.line !== undefined) this.line = failure.line;
    if (failure.column !== undefined) this.column = failure.column;
    if (failure.info !== undefined) this.info = failure.info;
  }
}

export function aborted(): StrawError {
  return new StrawError({ kind: "aborted", message: "stopped" });
}

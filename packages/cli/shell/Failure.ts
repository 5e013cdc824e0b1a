/** Exit codes of a run; the README lists them. */
export const exitCodes = {
  /** The API refused, or a step failed. */
  refused: 1,
  /** The command line is not valid. */
  usage: 2,
  /** There is no key, or the API does not accept it. */
  notLoggedIn: 3,
  /** The API gave no answer. */
  noAnswer: 4,
  /** Some items of many failed. */
  partial: 5,
  /** Ended by Ctrl+C. */
  interrupted: 130
} as const

/** Ends a command with one line for the reason and one for the next step. */
export class Failure extends Error {
  readonly exitCode: number
  readonly next: string | undefined
  /** A stable word for programs, shown with `--json`. */
  readonly code: string
  /** More for programs, shown with `--json`. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    message: string,
    options: {
      readonly exitCode?: number
      readonly next?: string | undefined
      readonly code?: string
      readonly details?: Readonly<Record<string, unknown>>
    }
  ) {
    super(message)
    this.exitCode = options.exitCode ?? exitCodes.refused
    this.next = options.next
    this.code = options.code ?? "command_failed"
    this.details = options.details ?? {}
  }
}

/** Returns the failure of a command line that is not valid. */
export const usage = (message: string, next?: string): Failure =>
  new Failure(message, { exitCode: exitCodes.usage, code: "invalid_command", ...(next === undefined ? {} : { next }) })

/** The output about a failure. */
export interface FailureOutput {
  readonly exitCode: number
  readonly error: Readonly<Record<string, unknown>> & { readonly code: string; readonly message: string }
  readonly next: string | undefined
}

/**
 * Members of the SDK's errors, which are recognised by shape, so that a command that never loaded the SDK need not load
 * it to fail.
 */
interface ApiErrorShape extends Error {
  readonly status: number
  readonly code: string
  readonly param?: string
  readonly requestId?: string
  readonly docUrl?: string
  readonly retryAfterMs?: number
  readonly details: Readonly<Record<string, unknown>>
}

const isApiError = (error: Error): error is ApiErrorShape => "status" in error && "code" in error && "details" in error

/** Returns the output about any error that a command throws. */
export const failureOutput = (thrown: unknown): FailureOutput => {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  if (error instanceof Failure)
    return {
      exitCode: error.exitCode,
      error: { code: error.code, message: error.message, ...detailsOf(error) },
      next: error.next
    }
  if (isApiError(error)) return toldOfApi(error)
  if (/^Carteiro(Connection|Timeout)Error$/.test(error.name)) {
    const next = "check that the API runs and that CARTEIRO_API_BASE, or the profile, names it"
    return { exitCode: exitCodes.noAnswer, error: { code: "no_answer", message: error.message }, next }
  }
  if ("code" in error && typeof error.code === "string" && error.code.startsWith("E"))
    return { exitCode: exitCodes.refused, ...toldOfSystem(error, error.code) }
  return { exitCode: exitCodes.refused, error: { code: "command_failed", message: error.message }, next: undefined }
}

const toldOfSystem = (error: Error, code: string): Pick<FailureOutput, "error" | "next"> =>
  code === "ENOENT" && "path" in error
    ? { error: { code, message: `there is no ${String(error.path)}` }, next: "name a file or folder that exists" }
    : { error: { code, message: error.message }, next: undefined }

const detailsOf = ({ details }: Pick<Failure, "details">) => (Object.keys(details).length === 0 ? {} : { details })

const toldOfApi = (error: ApiErrorShape): FailureOutput => ({
  exitCode: error.status === 401 ? exitCodes.notLoggedIn : exitCodes.refused,
  error: {
    status: error.status,
    code: error.code,
    message: error.message,
    param: error.param,
    request_id: error.requestId,
    doc_url: error.docUrl,
    ...detailsOf(error)
  },
  next: nextStep(error)
})

const steps: Readonly<Record<string, string>> = {
  authentication_error: "log in again: carteiro login",
  insufficient_scope: "log in again for a key with the scope, or use another key: carteiro login",
  service_window_required: "in a sandbox, let the customer write first: carteiro trigger message.received from=<phone>",
  sandbox_only_route: "switch to a sandbox: carteiro switch",
  rate_limited: "wait, then run it again",
  invalid_cursor: "the saved place is of another environment: run with --from-now"
}

const nextStep = ({ code, retryAfterMs }: ApiErrorShape): string => {
  const wait = retryAfterMs === undefined ? "" : `wait ${Math.ceil(retryAfterMs / 1000)} s; `
  return `${wait}${steps[code] ?? `carteiro docs ${code}`}`
}

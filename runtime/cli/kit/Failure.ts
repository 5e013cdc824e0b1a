import { type ApiError, isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { hasDatabaseAway } from "@carteiro/tables/SqlFailure.ts"
import { Cause } from "effect"
import { CliError } from "effect/cli"
import { escapeValue } from "./Escapes.ts"

/** Why a command did not do what it was asked, in one line. */
export interface Failure {
  /** The code of the API's envelope, or `usage`, `failed`. */
  readonly code: string
  readonly message: string
  /** 2 for a command that is written wrongly, 1 for one that was refused or failed. */
  readonly exitCode: 1 | 2
}

/** Returns the failure of a command for its caller; undefined after help, and after an interruption. */
export const failureOf = (cause: Cause.Cause<unknown>): Failure | undefined => {
  if (Cause.hasInterruptsOnly(cause)) return undefined
  const error = Cause.squash(cause)
  if (CliError.isCliError(error)) return usage(error)
  if (isApiError(error)) return { code: error._tag, message: oneLine(withParam(error)), exitCode: 1 }
  const message = oneLine(error instanceof Error ? error.message : String(error))
  return hasDatabaseAway(cause)
    ? { code: "service_unavailable", message: `The database cannot be reached: ${message}`, exitCode: 1 }
    : { code: "failed", message, exitCode: 1 }
}

/** The one line on stderr: a sentence for people, or the error of the API's envelope. */
export const tellFailure = ({ code, message }: Failure, json: boolean): string =>
  escapeValue(json ? JSON.stringify({ error: { code, message } }) : message)

const usage = (error: CliError.CliError): Failure | undefined => {
  if (error._tag !== "ShowHelp") return { code: "usage", message: oneLine(error.message), exitCode: 2 }
  if (error.errors.length === 0) return undefined
  const command = error.commandPath.join(" ")
  const said = error.errors.map(({ message }) => message.replace("Expected: Schema validation failed: ", ""))
  return { code: "usage", message: oneLine(`${said.join("; ")} (see ${command} --help)`), exitCode: 2 }
}

/** Which field it is about, where its sentence does not say. */
const withParam = ({ message, param }: ApiError): string =>
  param === undefined || message.includes(param.replaceAll("_", "-")) || message.includes(param)
    ? message
    : `${message} (${param})`

const oneLine = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, " ")

import { Cause, Layer, Logger, type LogLevel, References } from "effect"
import { type DestinationStream, destination, type LevelWithSilent, pino } from "pino"
import { redactedText, redactedValue } from "./LogRedaction.ts"
import { terminalLine } from "./TerminalLine.ts"

/** `CARTEIRO_LOG` and `CARTEIRO_LOG_PRETTY`. Boot contract, "Settings" */
export interface LoggingOptions {
  readonly level: LevelWithSilent
  readonly pretty: boolean
  /** Members of every line, such as the node's role. */
  readonly base?: { readonly [key: string]: string | number }
  /** Standard error by default: standard output carries only the lines of the boot contract. */
  readonly destination?: DestinationStream
}

/**
 * Effect's logger, written by pino: one JSON line per event with `level`, `time` (epoch milliseconds of `Clock`), `msg`
 * and the annotations in force. Every text and member passes one redaction list.
 */
export const layer = (options: LoggingOptions): Layer.Layer<never> =>
  Layer.merge(
    Layer.sync(Logger.CurrentLoggers, () => new Set([makeLogger(options)])),
    Layer.succeed(References.MinimumLogLevel, minimum[options.level])
  )

/** Makes the logger, also for code that runs outside of the layer. */
const makeLogger = (options: LoggingOptions): Logger.Logger<unknown, void> => {
  const log = pino(
    {
      level: options.level,
      base: options.base ?? null,
      // The event's own time is logged, which is the database's in production.
      timestamp: false,
      // Errors arrive here as plain, redacted objects.
      serializers: { err: (error: unknown) => error },
      formatters: { level: (label) => ({ level: label }) }
    },
    streamOf(options)
  )
  return Logger.make((event) => {
    const write = methods[event.logLevel]
    if (write === undefined || !log.isLevelEnabled(write)) return
    const { text, members } = partsOf(event.message)
    const annotations = redactedValue(event.fiber.getRef(References.CurrentLogAnnotations)) as object
    const errors = Cause.prettyErrors(event.cause)
    log[write](
      {
        ...annotations,
        ...members,
        ...(errors.length === 0 ? {} : { err: redactedValue(errors.length === 1 ? errors[0] : errors) }),
        time: event.date.getTime()
      },
      text
    )
  })
}

const methods: { readonly [level in LogLevel.LogLevel]?: "fatal" | "error" | "warn" | "info" | "debug" | "trace" } = {
  Fatal: "fatal",
  Error: "error",
  Warn: "warn",
  Info: "info",
  Debug: "debug",
  Trace: "trace"
}

const minimum: { readonly [level in LevelWithSilent]: LogLevel.LogLevel } = {
  fatal: "Fatal",
  error: "Error",
  warn: "Warn",
  info: "Info",
  debug: "Debug",
  trace: "Trace",
  silent: "None"
}

/** Splits a message: its texts are the sentence, its objects are members of the line. */
const partsOf = (message: unknown): { readonly text: string; readonly members: object } => {
  const words: Array<string> = []
  let members: { readonly [name: string]: unknown } = {}
  for (const part of Array.isArray(message) ? message : [message]) {
    const shown = redactedValue(part)
    if (part instanceof Error) members = { ...members, err: shown }
    else if (Array.isArray(shown)) members = { ...members, items: shown }
    else if (typeof shown === "object" && shown !== null) members = { ...members, ...shown }
    else words.push(String(shown))
  }
  // The joined text is redacted again, because a credential may span two parts.
  return { text: redactedText(words.join(" ")), members }
}

const streamOf = (options: LoggingOptions): DestinationStream => {
  const stream = options.destination ?? destination({ dest: 2, sync: true })
  if (!options.pretty) return stream
  const format = terminalLine({
    colorize: options.destination === undefined && process.stderr.isTTY === true,
    // A single node need not name its role on each line.
    hidden: new Set(options.base?.role === "all" ? ["role"] : [])
  })
  return { write: (line) => stream.write(format(line)) }
}

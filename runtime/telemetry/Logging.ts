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
  /** Standard error when left out: standard output carries only what the boot contract promises. */
  readonly destination?: DestinationStream
}

/**
 * Effect's logger, written by pino: one JSON line an event with `level`, `time` (epoch milliseconds of `Clock`), `msg`
 * and the annotations in force. Every text and member passes one redaction list. Architecture, section 9
 */
export const layer = (options: LoggingOptions): Layer.Layer<never> =>
  Layer.merge(
    Layer.sync(Logger.CurrentLoggers, () => new Set([makeLogger(options)])),
    Layer.succeed(References.MinimumLogLevel, minimum[options.level])
  )

/** The logger itself, for what runs outside the layer. */
const makeLogger = (options: LoggingOptions): Logger.Logger<unknown, void> => {
  const log = pino(
    {
      level: options.level,
      base: options.base ?? null,
      // The event's own time, which is the database's in production.
      timestamp: false,
      // Errors arrive here plain and redacted.
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

/** Texts of a message are its sentence; objects are members of the line. */
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
  // Once more as a whole: a credential may stand across two parts.
  return { text: redactedText(words.join(" ")), members }
}

const streamOf = (options: LoggingOptions): DestinationStream => {
  const stream = options.destination ?? destination({ dest: 2, sync: true })
  if (!options.pretty) return stream
  const format = terminalLine({
    colorize: options.destination === undefined && process.stderr.isTTY === true,
    // A node that is alone need not say so each time.
    hidden: new Set(options.base?.role === "all" ? ["role"] : [])
  })
  return { write: (line) => stream.write(format(line)) }
}

import type { AnyEvent } from "@carteiro/schema/conventions/Event.ts"
import { replacement } from "../telemetry/Redaction.ts"

/**
 * Masks the members that an event declares as secret, for every reader but its receiver. gaps-3 B "Invite link secrecy"
 */
export const maskEvents = (events: ReadonlyArray<AnyEvent>) => {
  const secrets = new Map(events.flatMap(({ secrets, type }) => (secrets.length === 0 ? [] : [[type, secrets]])))
  /** Returns the parsed envelope of an event of that type with its secrets replaced; null stays null. */
  return (type: string, envelope: unknown): unknown => {
    const names: ReadonlyArray<string> | undefined = secrets.get(type)
    if (names === undefined || !isRecord(envelope) || !isRecord(envelope.data)) return envelope
    const data = Object.fromEntries(
      Object.entries(envelope.data).map(([name, value]) => [
        name,
        names.includes(name) && value !== null ? replacement : value
      ])
    )
    return { ...envelope, data }
  }
}

/** Returns the values in an envelope that its event declares as secret, which a receiver may repeat in its response. */
export const secretsOfEvents = (events: ReadonlyArray<AnyEvent>) => {
  const secrets = new Map(events.flatMap(({ secrets, type }) => (secrets.length === 0 ? [] : [[type, secrets]])))
  return (type: string, envelope: string): ReadonlyArray<string> => {
    const names: ReadonlyArray<string> | undefined = secrets.get(type)
    const parsed: unknown = names === undefined ? undefined : JSON.parse(envelope)
    if (names === undefined || !isRecord(parsed) || !isRecord(parsed.data)) return []
    const { data } = parsed
    return names.flatMap((name) => {
      const value = data[name]
      return typeof value === "string" && value !== "" ? [value] : []
    })
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

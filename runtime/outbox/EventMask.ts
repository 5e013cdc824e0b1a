import type { AnyEvent } from "@carteiro/schema/conventions/Event.ts"
import { readJson } from "@carteiro/tables/StoredJson.ts"
import { replacement } from "../telemetry/Redaction.ts"
import type { EnvelopeText } from "./EventText.ts"

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
  return (type: string, envelope: EnvelopeText): ReadonlyArray<string> => {
    const names: ReadonlyArray<string> | undefined = secrets.get(type)
    const data = names === undefined ? undefined : readJson(envelope).data
    if (names === undefined || !isRecord(data)) return []
    return names.flatMap((name) => {
      const value = data[name]
      return typeof value === "string" && value !== "" ? [value] : []
    })
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

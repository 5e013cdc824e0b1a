import { randomBytes } from "node:crypto"
import { Calls, operatorUrl } from "@carteiro/outbound/Calls.ts"
import { NameResolver } from "@carteiro/outbound/NameResolver.ts"
import { Effect, Layer, Redacted } from "effect"
import type { SettingsValues } from "../boot/Settings.ts"

/** The answer of an address to the chat platform's handshake. */
export type HandshakeAnswer =
  | { readonly _tag: "Silent" }
  | { readonly _tag: "Answered"; readonly status: number; readonly isChallenge: boolean }

const limits = { connectTimeoutMs: 3000, totalTimeoutMs: 8000, maxBytes: 65_536 }

/**
 * Asks the webhook address of an installation for the handshake, as the chat platform does before it posts there.
 * Changes nothing. Takes eight seconds at most.
 */
export const shakeHands = (
  { webhookTargetAllowlist }: Pick<SettingsValues, "webhookTargetAllowlist">,
  address: string,
  verifyToken: Redacted.Redacted
): Effect.Effect<HandshakeAnswer> =>
  Effect.gen(function* () {
    const calls = yield* Calls
    const challenge = String(randomBytes(6).readUIntBE(0, 6))
    const query = new URLSearchParams({
      "hub.mode": "subscribe",
      "hub.verify_token": Redacted.value(verifyToken),
      "hub.challenge": challenge
    })
    const url = operatorUrl(address).below(`?${query}`)
    const result = yield* calls.call({ method: "GET", url, headers: {}, limits })
    if (result._tag === "Broken") return { _tag: "Silent" } as const
    const isChallenge = result.status === 200 && Buffer.from(result.bytes).toString("utf8") === challenge
    return { _tag: "Answered", status: result.status, isChallenge } as const
  }).pipe(Effect.provide(Layer.provide(Calls.layer({ allowlist: webhookTargetAllowlist }), NameResolver.layer)))

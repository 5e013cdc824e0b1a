import { readSettings } from "@carteiro/runtime/boot/Settings.ts"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"

const read = (env: Readonly<Record<string, string>>) =>
  Effect.provide(readSettings, ConfigProvider.layer(ConfigProvider.fromEnv({ env, preserveEmptyStrings: true })))

it.effect("voices are pairs of a caller's name and a vendor's, each name once", () =>
  Effect.gen(function* () {
    const { speechprov2Voices } = yield* read({ CARTEIRO_SPEECHPROV2_VOICES: " ana = coral ,davi=voice_1" })
    assert.deepStrictEqual(
      [...(speechprov2Voices ?? [])],
      [
        ["ana", "coral"],
        ["davi", "voice_1"]
      ]
    )
    for (const wrong of ["ana", "ana=", "=coral", "ana=a=b", "ana=coral,", "ana=coral,ana=nova"]) {
      const { message } = yield* Effect.flip(read({ CARTEIRO_SPEECHPROV2_VOICES: wrong }))
      assert.match(message, /^CARTEIRO_SPEECHPROV2_VOICES: expected comma-separated pairs/)
    }
  })
)

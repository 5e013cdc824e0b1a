import { loadOpenAi } from "@carteiro/provider-openai/OpenAi.ts"
import { loadTelnyx } from "@carteiro/provider-telnyx/Telnyx.ts"
import { voiceClients } from "@carteiro/runtime/app/VoiceAdapters.ts"
import { assert, it } from "@effect/vitest"

const none: Parameters<typeof voiceClients>[0] = {
  numprovApiBaseUrl: undefined,
  numprovApiKey: undefined,
  numprovDriver: "telnyx",
  numprovMessagingProfileId: undefined,
  numprovRequirementGroupId: undefined,
  speechprov1ApiBaseUrl: undefined,
  speechprov1Driver: "openai",
  speechprov1Model: undefined,
  speechprov1Voices: undefined,
  speechprov1TranscriptionModel: undefined,
  speechprov2ApiBaseUrl: undefined,
  speechprov2Driver: "elevenlabs",
  speechprov2Model: undefined,
  speechprov2Voices: undefined,
  speechprov3ApiBaseUrl: undefined,
  speechprov3Driver: "bridge",
  speechprov3Model: undefined,
  speechprov3Voices: undefined
}

it("an installation loads the clients of the vendors that it is set up for, and of no other", () => {
  const clients = (changes: Partial<typeof none>) => voiceClients({ ...none, ...changes })
  assert.deepStrictEqual(clients({}), [])
  assert.deepStrictEqual(clients({ numprovApiBaseUrl: "https://numbers.example" }), [loadTelnyx])
  assert.deepStrictEqual(clients({ numprovApiBaseUrl: "https://numbers.example", numprovDriver: "bridge" }), [])
  assert.deepStrictEqual(clients({ speechprov2ApiBaseUrl: "https://speech.example" }), [])
  assert.deepStrictEqual(clients({ speechprov2ApiBaseUrl: "https://speech.example", speechprov2Driver: "openai" }), [
    loadOpenAi
  ])
})

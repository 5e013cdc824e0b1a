import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { UpstreamProduct, upstreamStage } from "../support/Upstream.ts"

/** The platform's numbers and what they are stamped as; the simulator brings each by the end of the recipient's phone. */
const codes = [
  [131026, "upstream_recipient_undeliverable"],
  [131031, "upstream_business_account_locked"],
  [131037, "upstream_display_name_not_approved"],
  [131042, "upstream_payment_method_required"],
  [131047, "service_window_required"],
  [131049, "upstream_engagement_limited"],
  [131050, "upstream_marketing_opted_out"],
  [131052, "upstream_media_download_failed"],
  [131053, "upstream_media_download_failed"],
  [130472, "upstream_experiment_holdout"],
  [132000, "template_param_mismatch"],
  [132001, "template_unavailable"],
  [132005, "template_unavailable"],
  [132007, "template_unavailable"],
  [132012, "template_param_mismatch"],
  [132015, "template_unavailable"],
  [132016, "template_unavailable"],
  [132018, "template_param_mismatch"],
  [133010, "upstream_registration_required"],
  [141006, "upstream_payment_method_required"],
  [141008, "upstream_account_inactive"],
  [141011, "upstream_messaging_permission_missing"]
] as const

it.layer(UpstreamProduct(), { excludeTestServices: true })("Refusals of the platform", (it) => {
  it.effect(
    "are stamped by their number, raw numbers beside them M-DLV-01 M-DLV-02 M-DLV-14 M-DLV-15 M-DLV-16 M-DLV-17 M-DLV-18 M-DLV-19 M-DLV-20 M-MSG-39",
    () =>
      Effect.gen(function* () {
        const stage = yield* upstreamStage
        for (const [code, delivery] of codes) {
          const to = `+5511931${code}`
          yield* stage.hear(to)
          const { body } = yield* stage.send(stage.text(), to)
          yield* stage.reaches(body.id, "failed")
          const message = yield* stage.read(body.id)
          assert.deepStrictEqual([message.error_code, message.provider_error.code], [delivery, code])
        }
        for (const [value, delivery] of [
          [190, "provider_connection_unauthorized"],
          [200, "upstream_messaging_permission_missing"],
          [368, "upstream_business_account_locked"],
          [100, "upstream_rejected"]
        ] as const) {
          yield* stage.faults({ name: "refuse", value, times: 1 })
          yield* stage.hear()
          const { body } = yield* stage.send(stage.text())
          yield* stage.reaches(body.id, "failed")
          const message = yield* stage.read(body.id)
          assert.deepStrictEqual([message.error_code, message.provider_error.code], [delivery, value])
        }
      })
  )
})

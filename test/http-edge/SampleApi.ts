import { type OperationTraits, Traits } from "@carteiro/schema/conventions/Access.ts"
import { pageQuery } from "@carteiro/schema/conventions/Page.ts"
import { errorCode, nullableOptional } from "@carteiro/schema/conventions/RequestValidation.ts"
import { label } from "@carteiro/schema/conventions/Text.ts"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"

const traits = (more: Partial<OperationTraits> = {}): OperationTraits => ({
  scopes: [],
  rate: "write",
  validation: "invalid_parcel_request",
  ...more
})

const Phone = Schema.String.check(Schema.isPattern(/^\+\d{8,15}$/, { expected: "an E.164 phone number" })).annotate(
  errorCode("invalid_phone_e164")
)

const Content = Schema.Union([
  Schema.Struct({ type: Schema.Literal("text"), body: label(1, 20) }),
  Schema.Struct({ type: Schema.Literal("tags"), tags: Schema.Array(label(1, 5)) })
])

/** A body with every kind of field the contract knows. */
export const CreateParcel = Schema.Struct({
  name: label(1, 20),
  to: Schema.optionalKey(Phone),
  note: nullableOptional(label(1, 10)),
  content: Schema.optionalKey(Content),
  labels: Schema.optionalKey(Schema.Array(label(1, 5))),
  size: Schema.optionalKey(Schema.Struct({ width: Schema.Int, depth: Schema.Int }))
})

const parcel = { success: Schema.Unknown }
const params = { id: Schema.String }

/** Stands for a room: one route for every trait the pipeline knows. */
export class ParcelsApi extends HttpApiGroup.make("parcels")
  .add(
    HttpApiEndpoint.post("create", "/", { payload: CreateParcel, ...parcel }).annotate(
      Traits,
      traits({ strictBody: true, idempotency: "optional" })
    ),
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...pageQuery(),
        status: Schema.optionalKey(Schema.Literals(["open", "sent"])),
        event_types: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
        ids: Schema.optionalKey(Schema.Array(Schema.String))
      },
      ...parcel
    }).annotate(Traits, traits({ rate: "read", strictQuery: true, validation: "invalid_query" })),
    HttpApiEndpoint.get("listen", "/listen", { query: pageQuery(), ...parcel }).annotate(
      Traits,
      traits({ rate: "listen", noHead: true, longPoll: true })
    ),
    HttpApiEndpoint.post("resendMany", "/bulk-resend", parcel).annotate(Traits, traits()),
    HttpApiEndpoint.get("get", "/:id", { params, ...parcel }).annotate(Traits, traits({ rate: "read" })),
    HttpApiEndpoint.patch("change", "/:id", {
      params,
      payload: Schema.Struct({ note: Schema.optionalKey(Schema.NullOr(label(1, 10))) }),
      ...parcel
    }).annotate(Traits, traits()),
    HttpApiEndpoint.post("cancel", "/:id/cancel", { params, ...parcel }).annotate(
      Traits,
      traits({ idempotency: "optional" })
    ),
    HttpApiEndpoint.post("report", "/:id/report", {
      params,
      payload: CreateParcel,
      ...parcel
    }).annotate(
      Traits,
      traits({ idempotency: "required", missingKeyCode: "missing_idempotency_key", rateAfterIdempotency: true })
    ),
    HttpApiEndpoint.post("charge", "/:id/charge", {
      params,
      payload: CreateParcel,
      ...parcel
    }).annotate(Traits, traits({ idempotency: "optional", restrictedWithoutCredit: true })),
    HttpApiEndpoint.post("open", "/:id/open", { params, payload: CreateParcel, ...parcel }).annotate(
      Traits,
      traits({ authentication: "none", rate: "device_create" })
    ),
    HttpApiEndpoint.post("simulate", "/:id/simulate", { params, payload: CreateParcel, ...parcel }).annotate(
      Traits,
      traits({ bodyBeforeRate: true, capability: "messaging", maxBodyBytes: 1024 })
    ),
    HttpApiEndpoint.post("test", "/:id/test", { params, ...parcel }).annotate(
      Traits,
      traits({ rateInHandler: true, idempotency: "optional" })
    ),
    HttpApiEndpoint.put("upload", "/blobs/:id", {
      params,
      payload: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array()),
      ...parcel
    }).annotate(Traits, traits({ authentication: "none", maxBodyBytes: 4096 }))
  )
  .prefix("/v1/parcels") {}

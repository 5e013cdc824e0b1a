import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { pathId } from "../conventions/Ids.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import {
  FeatureDisabled,
  IdempotencyKeyConflict,
  IdempotencyKeyRequired,
  InvalidCursor,
  InvalidQuery
} from "../conventions/SharedErrors.ts"
import * as Numprov from "../provider-connections/NumprovErrors.ts"
import { ProviderConnectionNotFound } from "../provider-connections/ProviderConnectionErrors.ts"
import { NumberSource, NumberStatus, PhoneNumber, PhoneNumberRead } from "./PhoneNumber.ts"
import * as Errors from "./PhoneNumberErrors.ts"
import {
  ConnectPhoneNumber,
  ImportNumprovNumber,
  ReleasePhoneNumber,
  TransferPhoneNumber
} from "./PhoneNumberRequests.ts"
import { PhoneRegion } from "./Region.ts"

const params = { phone_number_id: pathId("pn") }

const reading = (traits: Partial<OperationTraits> = {}): OperationTraits => ({
  scopes: ["phone_numbers:read"],
  rate: "read",
  validation: InvalidQuery.code,
  ...traits
})

const writing = (traits: Partial<OperationTraits> = {}): OperationTraits => ({
  scopes: ["phone_numbers:write"],
  rate: "write",
  validation: Errors.InvalidPhoneNumberRequest.code,
  idempotency: "optional",
  restrictedWithoutCredit: true,
  ...traits
})

/** Routes of numbers of the calling key's environment. M-PHN, M-TRF, gaps-2 K */
export class PhoneNumbersApi extends HttpApiGroup.make("phoneNumbers")
  .add(
    HttpApiEndpoint.get("regions", "/available-regions", {
      query: pageQuery(),
      success: pageOf(PhoneRegion),
      error: [InvalidQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, reading({ strictQuery: true, restrictedWithoutCredit: true }))
      .annotate(OpenApi.Summary, "List regions")
      .annotate(OpenApi.Description, "The area codes of Brazil, ascending; a limit of 100 holds all of them."),
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...pageQuery(),
        status: Schema.optionalKey(NumberStatus),
        source: Schema.optionalKey(NumberSource)
      },
      success: pageOf(PhoneNumber),
      error: [InvalidQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, reading({ strictQuery: true }))
      .annotate(OpenApi.Summary, "List phone numbers")
      .annotate(
        OpenApi.Description,
        "Numbers of the calling key's environment that are not released, newest first. Filters are combined with AND."
      ),
    HttpApiEndpoint.get("get", "/:phone_number_id", {
      params,
      success: PhoneNumberRead,
      error: Errors.PhoneNumberNotFound.wire
    })
      .annotate(Traits, reading())
      .annotate(OpenApi.Summary, "Read a phone number")
      .annotate(
        OpenApi.Description,
        "Returns the number's state, health, allowance and latest messages; also for a released number."
      ),
    HttpApiEndpoint.post("connect", "/connect", {
      payload: ConnectPhoneNumber,
      success: PhoneNumberRead.pipe(HttpApiSchema.status(201)),
      error: [
        FeatureDisabled.wire,
        Errors.InvalidConnectRequest.wire,
        Errors.PlanPhoneLimitReached.wire,
        Errors.PhoneNumberConflict.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(
        Traits,
        writing({ validation: Errors.InvalidConnectRequest.code, capability: "phone_provisioning", rate: "write" })
      )
      .annotate(OpenApi.Summary, "Connect your own number")
      .annotate(
        OpenApi.Description,
        "Adds a number that is already registered at the chat platform. In production its status is verifying until the environment's connection reaches it, and failed after 24 hours; in the sandbox it is active immediately."
      ),
    HttpApiEndpoint.post("importNumprov", "/import-numprov", {
      payload: ImportNumprovNumber,
      success: PhoneNumberRead.pipe(HttpApiSchema.status(202)),
      error: [
        Errors.InvalidPhoneNumberRequest.wire,
        Numprov.NumprovByokTermsRequired.wire,
        IdempotencyKeyRequired.wire,
        FeatureDisabled.wire,
        Numprov.NumprovByokUnavailable.wire,
        Numprov.NumprovByokSubscriptionRequired.wire,
        ProviderConnectionNotFound.wire,
        Numprov.NumprovConnectionUnavailable.wire,
        Numprov.NumprovResourceNotFound.wire,
        Numprov.NumprovNumberUnavailable.wire,
        Numprov.NumprovNumberAlreadyImported.wire,
        Errors.PlanPhoneLimitReached.wire,
        Errors.PhoneNumberConflict.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(
        Traits,
        writing({
          idempotency: "required",
          missingKeyCode: "idempotency_key_required",
          capability: "phone_provisioning"
        })
      )
      .annotate(OpenApi.Summary, "Import a number of your number-provider account")
      .annotate(
        OpenApi.Description,
        "The number stays yours: it is never rented, charged or released here. It is active if the chat platform reaches it, and provisioned otherwise. Management is free while a Standard or Growth plan is active."
      ),
    HttpApiEndpoint.post("release", "/:phone_number_id/release", {
      params,
      payload: ReleasePhoneNumber,
      success: [PhoneNumberRead, PhoneNumberRead.pipe(HttpApiSchema.status(202))],
      error: [
        Errors.InvalidPhoneNumberRequest.wire,
        Errors.PhoneNumberNotFound.wire,
        Errors.PhoneNumberNotRemovable.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(Traits, writing({ strictBody: true }))
      .annotate(OpenApi.Summary, "Release a rented number")
      .annotate(
        OpenApi.Description,
        "The number returns to its provider (202) and cannot send any more: queued messages fail. Repeating the request changes nothing (200)."
      ),
    HttpApiEndpoint.post("disconnect", "/:phone_number_id/disconnect", {
      params,
      success: PhoneNumberRead,
      error: [Errors.PhoneNumberNotFound.wire, Errors.PhoneNumberNotRemovable.wire, IdempotencyKeyConflict.wire]
    })
      .annotate(Traits, writing())
      .annotate(OpenApi.Summary, "Disconnect your own number")
      .annotate(
        OpenApi.Description,
        "The number no longer sends or receives here. Disconnecting again changes nothing."
      ),
    HttpApiEndpoint.post("convert", "/:phone_number_id/convert-to-byon", {
      params,
      success: PhoneNumberRead,
      error: [Errors.PhoneNumberNotFound.wire, Errors.PhoneNumberNotConvertible.wire, IdempotencyKeyConflict.wire]
    })
      .annotate(Traits, writing())
      .annotate(OpenApi.Summary, "End the management of an imported number")
      .annotate(OpenApi.Description, "Ends the management at no cost; the number stays active."),
    HttpApiEndpoint.post("transfer", "/:phone_number_id/transfer", {
      params,
      payload: TransferPhoneNumber,
      success: PhoneNumberRead,
      error: [
        Errors.InvalidTransferRequest.wire,
        Errors.PhoneNumberConfirmationMismatch.wire,
        Errors.PhoneNumberTransferSameEnvironment.wire,
        Errors.PhoneNumberTransferEnvironmentKindMismatch.wire,
        Errors.PhoneNumberNotFound.wire,
        Errors.TargetEnvironmentNotFound.wire,
        Errors.PhoneNumberNotTransferable.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(Traits, writing({ validation: Errors.InvalidTransferRequest.code, strictBody: true }))
      .annotate(OpenApi.Summary, "Move a number to another environment")
      .annotate(
        OpenApi.Description,
        "Moves the number to an environment of equal kind in a project of this organization. Earlier messages and their later statuses stay in the old environment."
      )
  )
  .prefix("/v1/phone-numbers")
  .annotate(OpenApi.Title, "Phone numbers")
  .annotate(OpenApi.Description, "Phone numbers that send and receive.") {}

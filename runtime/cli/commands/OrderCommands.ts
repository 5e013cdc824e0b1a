import { Commit } from "@carteiro/owners/Commit.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { label } from "@carteiro/schema/conventions/Text.ts"
import { PhoneNumberOrderNotFound } from "@carteiro/schema/phone-orders/PhoneOrderErrors.ts"
import { readTaxId } from "@carteiro/spellings/TaxId.ts"
import { Clock, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { orderBody } from "../../phone-orders/Operator.ts"
import { OrderReads, OrderStandings, standingChanges } from "../../phone-orders/PhoneOrders.ts"
import { recordChange } from "../kit/Audited.ts"
import { facts, print, table } from "../kit/Output.ts"
import { foundOrganization, idArgument, limit, organization } from "../kit/Parameters.ts"

const id = idArgument("order", "Id of the order", "pno_…")

const list = Command.make("list", { organization, limit }, ({ limit, organization }) =>
  Effect.gen(function* () {
    yield* foundOrganization(organization)
    const now = yield* Clock.currentTimeMillis
    const rows = yield* (yield* OrderReads).list(organization, undefined, limit)
    const data = rows.map((row) => orderBody(row, "", now))
    const shown = data.map((order) => [
      order.id,
      order.ddd,
      order.status,
      order.preview.amount_brl,
      order.phone_number_id ?? "",
      order.created_at
    ])
    yield* print({ data }, table(["id", "ddd", "status", "amount_brl", "number", "created_at"], shown, "no orders"))
  })
).pipe(Command.withDescription("List orders of numbers of an organization, newest first"))

const show = Command.make("show", { id }, ({ id }) =>
  Effect.gen(function* () {
    const row = parseId("pno", id) ? yield* (yield* OrderReads).findAnywhere(id) : undefined
    if (row === undefined) return yield* new PhoneNumberOrderNotFound()
    const { failure, preview, ...order } = orderBody(row, "", yield* Clock.currentTimeMillis)
    yield* print({ ...order, failure, preview }, facts({ ...order, ...preview, failure: failure?.code ?? null }))
  })
).pipe(Command.withDescription("Show one order"))

const identity = Command.make(
  "identity",
  {
    organization,
    legalName: Flag.String("legal-name").pipe(
      Flag.withDescription("Name of the business in its register"),
      Flag.withSchema(label(1, 255))
    ),
    taxId: Flag.String("tax-id").pipe(
      Flag.withDescription("Its number in the tax register, CNPJ or CPF, with or without its mask"),
      Flag.filter(
        (written) => readTaxId(written).refusal === undefined,
        (written) => readTaxId(written).refusal?.message ?? "Expected a tax id"
      ),
      Flag.map((written) => readTaxId(written).taxId ?? written)
    )
  },
  ({ legalName, organization, taxId }) =>
    Effect.gen(function* () {
      yield* foundOrganization(organization)
      const standings = yield* OrderStandings
      const before = yield* standings.find(organization)
      const commit = yield* Commit
      const now = yield* Clock.currentTimeMillis
      const declared = { organization_id: organization, legal_name: legalName, tax_id: taxId, legal_phone: null }
      yield* commit.write([standingChanges.declareIdentity({ ...declared, declared_at: now })])
      yield* commit.write([standingChanges.approveIdentity({ organization_id: organization, approved_at: now })])
      const { identity } = yield* standings.find(organization)
      yield* recordChange(organization, {
        action: "organization.identity_approved",
        before: { identity: before.identity },
        after: { identity }
      })
      yield* print({ organization_id: organization, identity }, facts({ organization_id: organization, identity }))
    })
).pipe(Command.withDescription("Record who a business is, after looking at its papers: it may order numbers"))

/** Orders of rented numbers, and who may place one. M-ORD-26 */
export const orders = Command.make("orders").pipe(Command.withSubcommands([list, show, identity]))

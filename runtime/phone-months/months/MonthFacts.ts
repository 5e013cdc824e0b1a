import { Context, Effect, Layer } from "effect"
import { type MonthAccount, MonthAccounts, UnpaidMonths } from "../../billing/Billing.ts"
import { type ManagedNumber, MonthNumbers, type RentedMonthNumber } from "../../phone-numbers/PhoneNumbers.ts"
import { emptyMonth, type MonthsOf, monthsAround } from "./Coverage.ts"
import { type PhoneMonth, PhoneMonthRepo } from "./PhoneMonthRepo.ts"

/** Managed numbers with their account and their months around an instant. */
export interface ManagedMonths {
  readonly account: MonthAccount
  readonly numbers: ReadonlyArray<ManagedNumber>
  readonly monthsOf: (number: { readonly id: string }) => MonthsOf
}

/** The rented numbers of an account with the charge of each in the present month. */
export interface RentedMonths {
  readonly numbers: ReadonlyArray<RentedMonthNumber>
  /** Charges in 1/10,000 BRL, by number. */
  readonly charged: ReadonlyMap<string, number>
  readonly isUnpaid: boolean
}

/** Reads the facts that decide months. Instants in epoch milliseconds. */
export class MonthFacts extends Context.Service<
  MonthFacts,
  {
    /** Returns the managed numbers of an account at an instant, by enrollment. */
    managed(accountId: string, at: number): Effect.Effect<ManagedMonths>
    /** Returns the managed numbers of one environment, newest enrollment first. */
    managedIn(accountId: string, environmentId: string, at: number): Effect.Effect<ManagedMonths>
    /** Returns the rented numbers of an organization, by activation. */
    rented(organizationId: string, month: string): Effect.Effect<RentedMonths>
  }
>()("@carteiro/runtime/phone-months/months/MonthFacts") {
  static readonly layer = Layer.effect(
    MonthFacts,
    Effect.gen(function* () {
      const repo = yield* PhoneMonthRepo
      const accounts = yield* MonthAccounts
      const numbers = yield* MonthNumbers
      const unpaid = yield* UnpaidMonths

      const withMonths = Effect.fnUntraced(function* (
        accountId: string,
        managed: ReadonlyArray<ManagedNumber>,
        at: number
      ) {
        const [before, present] = monthsAround(at)
        const rows = yield* repo.ofNumbers(
          managed.map(({ id }) => id),
          [before, present]
        )
        const open = yield* unpaid.open(accountId, present)
        const account = yield* accounts.read(accountId, before)
        const monthsOf = ({ id }: { readonly id: string }): MonthsOf => {
          const own = rows.filter(({ phone_number_id }) => phone_number_id === id)
          return (month) => monthOfRows(own, month, month === present && open.has(id))
        }
        return { account, numbers: managed, monthsOf }
      })

      return MonthFacts.of({
        managed: (accountId, at) =>
          Effect.flatMap(numbers.managed(accountId), (managed) => withMonths(accountId, managed, at)),
        managedIn: (accountId, environmentId, at) =>
          Effect.flatMap(numbers.managedIn(environmentId), (managed) => withMonths(accountId, managed, at)),
        rented: Effect.fnUntraced(function* (organizationId, month) {
          const rented = yield* numbers.rented(organizationId)
          const rows = yield* repo.ofNumbers(
            rented.map(({ id }) => id),
            [month]
          )
          const isUnpaid = (yield* unpaid.open(organizationId, month)).has("rental")
          return { numbers: rented, charged: rentalsOf(rows), isUnpaid }
        })
      })
    })
  ).pipe(Layer.provide(PhoneMonthRepo.layer))
}

/** Returns the charges of rented numbers on the 1st, in 1/10,000 BRL. */
export const rentalsOf = (rows: ReadonlyArray<PhoneMonth>): ReadonlyMap<string, number> =>
  new Map(
    rows.flatMap(({ amount, phone_number_id, step }) =>
      step === "rental" && amount !== null ? [[phone_number_id, amount] as const] : []
    )
  )

const monthOfRows = (rows: ReadonlyArray<PhoneMonth>, month: string, isUnpaid: boolean) => {
  const own = rows.filter((row) => row.month === month)
  const management = own.find(({ step }) => step === "management")
  return {
    ...emptyMonth,
    charged: management?.amount ?? null,
    isUnfunded: management !== undefined && management.amount === null,
    isDisabled: own.some(({ step }) => step === "disable"),
    isUnpaid
  }
}

import { isLive } from "./Merchants.ts"
import { outcomes, type Payment, type Refund } from "./Payments.ts"

/** Returns an instant as Mercado Pago writes it, at four hours behind UTC. */
export const instant = (millis: number): string => new Date(millis - 4 * 3_600_000).toISOString().replace("Z", "-04:00")

/** Flaws of a payment in an answer. */
export interface ViewFlaws {
  readonly wrongAmount: boolean
  readonly unreadableAmount: boolean
  readonly wrongReference: boolean
}

/** Returns a payment as the API shows it; `host` serves its page. */
export const paymentView = async (payment: Payment, host: string, flaws: ViewFlaws): Promise<object> => ({
  ...summary(payment, flaws),
  fee_details: [],
  charges_details: [],
  refunds: payment.refunds.map((refund) => refundView(payment, refund)),
  order: payment.preferenceId === null ? {} : { id: payment.id, type: "mercadopago" },
  point_of_interaction: {
    type: payment.preferenceId === null ? "OPENPLATFORM" : "CHECKOUT",
    business_info: { unit: "online_payments", sub_unit: "default" },
    application_data: { name: null, version: null },
    transaction_data: {
      qr_code: payment.code,
      qr_code_base64: await payment.qrCode(),
      ticket_url: `http://${host}/payments/${payment.id}/ticket`,
      transaction_id: payment.approvedAt === null ? null : `PIXE${payment.id}`,
      bank_transfer_id: null,
      financial_institution: null,
      bank_info: { payer: {}, collector: {}, is_same_bank_account_owner: null }
    }
  }
})

/** Returns a payment as the search shows it. */
export const summary = (payment: Payment, flaws: ViewFlaws): object => {
  const { amountCentavos, approvedAt, merchant, refunds } = payment
  const { detail, status } = outcomes[payment.outcome]
  const reais = (amountCentavos + (flaws.wrongAmount ? 1 : 0)) / 100
  const refunded = refunds.reduce((total, refund) => total + refund.amountCentavos, 0)
  return {
    id: payment.id,
    date_created: instant(payment.createdAt),
    date_approved: approvedAt === null ? null : instant(approvedAt),
    date_last_updated: instant(payment.updatedAt),
    date_of_expiration: instant(payment.expiresAt),
    money_release_date: approvedAt === null ? null : instant(approvedAt),
    operation_type: "regular_payment",
    issuer_id: "12501",
    payment_method_id: "pix",
    payment_type_id: "bank_transfer",
    payment_method: { id: "pix", type: "bank_transfer", issuer_id: "12501" },
    status,
    status_detail: status === "approved" && refunded > 0 ? "partially_refunded" : detail,
    currency_id: "BRL",
    description: payment.description,
    live_mode: isLive(merchant.key),
    collector_id: merchant.userId,
    payer: {
      id: String(payment.id % 1_000_000_000),
      type: null,
      // An answer shows less of a payer than the request told.
      email: null,
      first_name: null,
      last_name: null,
      identification: { number: null, type: null },
      phone: { area_code: null, number: null, extension: null }
    },
    metadata: payment.metadata,
    additional_info: {},
    external_reference: flaws.wrongReference ? `${payment.externalReference}x` : payment.externalReference,
    transaction_amount: flaws.unreadableAmount ? String(reais) : reais,
    transaction_amount_refunded: refunded / 100,
    coupon_amount: 0,
    shipping_amount: 0,
    taxes_amount: 0,
    transaction_details: {
      net_received_amount: approvedAt === null ? 0 : reais,
      total_paid_amount: reais,
      overpaid_amount: 0,
      external_resource_url: null,
      installment_amount: 0,
      financial_institution: null,
      payment_method_reference_id: null,
      payable_deferral_period: null,
      acquirer_reference: null
    },
    captured: true,
    binary_mode: false,
    installments: 1,
    notification_url: payment.notificationUrl,
    processing_mode: "aggregator"
  }
}

/** Returns a refund as the API shows it. */
export const refundView = ({ id, merchant }: Payment, { amountCentavos, createdAt, id: refundId }: Refund): object => ({
  id: refundId,
  payment_id: id,
  amount: amountCentavos / 100,
  metadata: {},
  source: { id: String(merchant.userId), name: "Simulador", type: "collector" },
  date_created: instant(createdAt),
  unique_sequence_number: null,
  refund_mode: "standard",
  adjustment_amount: 0,
  status: "approved",
  reason: null,
  labels: [],
  amount_refunded_to_payer: amountCentavos / 100
})

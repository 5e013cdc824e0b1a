import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from "n8n-workflow"
import { NodeConnectionTypes, NodeOperationError } from "n8n-workflow"
import { clientOf, shownError } from "../../sdk/Client.ts"
import { getTemplates, searchPhoneNumbers } from "./Lists.ts"
import { messageFields } from "./MessageFields.ts"
import { ofAllItems, operations } from "./Operations.ts"
import { batchFields, contactFields, paymentFields } from "./OtherFields.ts"
import { sandboxFields } from "./SandboxFields.ts"

/** The node that calls the API. */
export class Carteiro implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Carteiro",
    name: "carteiro",
    icon: { light: "file:../../icons/carteiro.svg", dark: "file:../../icons/carteiro.dark.svg" },
    group: ["output"],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description:
      "Send chat messages, keep consent, take payments. Envia mensagens, guarda consentimento, cobra por Pix.",
    defaults: { name: "Carteiro" },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "carteiroApi", required: true }],
    properties: [
      {
        displayName: "Resource",
        name: "resource",
        type: "options",
        noDataExpression: true,
        default: "message",
        options: [
          { name: "Batch", value: "batch", description: "One template to many customers" },
          { name: "Contact", value: "contact", description: "Customers and their consent" },
          { name: "Message", value: "message", description: "Messages to customers" },
          { name: "Payment", value: "payment", description: "Payments in reais, by Pix or a link" },
          { name: "Sandbox", value: "sandbox", description: "Simulated customers and payers, for tests" }
        ]
      },
      ...messageFields,
      ...contactFields,
      ...paymentFields,
      ...batchFields,
      ...sandboxFields
    ]
  }

  methods = { listSearch: { searchPhoneNumbers }, loadOptions: { getTemplates } }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const carteiro = await clientOf(this)
    const items = this.getInputData()
    const returned: INodeExecutionData[] = []
    const name = `${this.getNodeParameter("resource", 0)}:${this.getNodeParameter("operation", 0)}`
    const operation = operations[name]
    if (operation === undefined) throw new NodeOperationError(this.getNode(), `There is no operation ${name}`)
    const isOfAll = ofAllItems.includes(name)
    for (let item = 0; item < (isOfAll ? 1 : items.length); item++) {
      const pairedItem = isOfAll ? items.map((_, each) => ({ item: each })) : { item }
      try {
        for (const json of await operation(this, carteiro, item)) returned.push({ json, pairedItem })
      } catch (error) {
        const shown = error instanceof NodeOperationError ? error : shownError(this.getNode(), error, item)
        if (!this.continueOnFail()) throw shown
        returned.push({ json: { error: shown.message, description: shown.description ?? null }, pairedItem })
      }
    }
    return [returned]
  }
}

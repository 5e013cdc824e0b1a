import type {
  ComponentExample,
  TemplateButton,
  TemplateComponent
} from "@carteiro/schema/templates/TemplateComponents.ts"

/** Returns the components of a template as the platform's submission takes them. U-TPL-02, U-TPL-03 */
export const submittedComponents = (components: ReadonlyArray<TemplateComponent>): ReadonlyArray<object> =>
  components.map(({ buttons, example, ...component }) => ({
    ...component,
    ...(example === undefined ? undefined : exampleOf(example)),
    ...(buttons === undefined ? undefined : { buttons: buttons.map(buttonOf) })
  }))

/** Lists of header values and a list of lists of body values, whatever shape the integrator wrote; none where empty. */
const exampleOf = ({ body_text, header_handle, header_text, ...named }: ComponentExample) => {
  const values = body_text?.flat() ?? []
  const example = {
    ...named,
    ...(header_text === undefined ? undefined : { header_text: [header_text].flat() }),
    ...(values.length === 0 ? undefined : { body_text: [values] }),
    ...(header_handle === undefined ? undefined : { header_handle: [header_handle].flat() })
  }
  return Object.keys(example).length === 0 ? undefined : { example }
}

/** The payload of a quick reply is the product's own: sends name it. */
const buttonOf = ({ example, payload: _, ...button }: TemplateButton) => {
  const examples = example === undefined ? [] : [example].flat()
  if (examples.length === 0) return button
  return { ...button, example: button.type === "URL" ? examples : examples[0] }
}

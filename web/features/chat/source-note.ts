/** Returns the line below the conversation: who answers, and where the data stay. `model` is null where none is connected. */
export const describeSource = (model: string | null): string =>
  model === null
    ? "Powered by rules on your practice's data"
    : `Powered by rules and the AI model ${model}. Names and contact data stay here.`

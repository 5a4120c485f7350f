import { PlanCards } from '#web/site/plan-cards.tsx'
import { StartButtons } from '#web/site/parts.tsx'

/** Frequent questions about billing, also as structured data of the page. */
const questions = [
  [
    'Can I change my plan later?',
    'Yes, at any time. Changes take effect on the next billing cycle. When you upgrade, the additional features are available immediately.',
  ],
  [
    'What happens after the trial?',
    'After 30 days your card is charged for the first month. Cancel before, and nothing is charged. You also have 30 days to get your money back after the first payment.',
  ],
  [
    'What happens to our data if we cancel?',
    'It stays yours. Your plan runs to the end of the paid month; then the account is a demo account again that keeps your own records.',
  ],
  [
    'Is our data secure?',
    'Health data is encrypted with a key for each patient, and every change is recorded. The security page says what is protected how, and what we do not claim.',
  ],
  [
    'Which payment methods do you accept?',
    'All major credit and debit cards, through a payment provider. Your card is stored there, never by us.',
  ],
] as const

/** Structured data of the questions (schema.org/FAQPage). */
export const billingFaq = {
  '@context': 'https://schema.org',
  '@type': 'FAQPage',
  mainEntity: questions.map(([name, text]) => ({
    '@type': 'Question',
    name,
    acceptedAnswer: { '@type': 'Answer', text },
  })),
}

/** `/pricing`. */
export function PricingPage() {
  return (
    <>
      <section className="wrap text-head">
        <h1>Simple pricing</h1>
        <p className="lead">
          One price for the whole practice, not per user. Try everything for 30 days, with a 30-day money-back guarantee
          after that.
        </p>
      </section>
      <section className="wrap" aria-label="Plans">
        <PlanCards heading="h2" />
      </section>
      <section className="wrap section split" aria-labelledby="questions">
        <h2 id="questions">Good to know</h2>
        <div className="questions">
          {questions.map(([question, answer]) => (
            <details key={question}>
              <summary>{question}</summary>
              <p>{answer}</p>
            </details>
          ))}
        </div>
      </section>
      <section className="wrap section call" aria-labelledby="first">
        <h2 id="first">Try it first</h2>
        <p className="lead">Sample patients are included. No card required.</p>
        <StartButtons />
      </section>
    </>
  )
}

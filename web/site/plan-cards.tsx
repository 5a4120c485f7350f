import { plans } from '#contracts/values/plans.ts'
import { MailLink } from './parts.tsx'
import { formatPlanPrice } from './plan-prices.ts'

/** The plans with monthly and yearly prices. The toggle works without script: the style sheet follows the checked one. */
export function PlanCards({ heading: Heading }: { heading: 'h2' | 'h3' }) {
  return (
    <div className="pricing">
      <fieldset className="toggle">
        <legend className="hidden-text">Billing period</legend>
        <label>
          <input type="radio" name="period" value="monthly" defaultChecked data-period />
          Monthly
        </label>
        <label>
          <input type="radio" name="period" value="yearly" data-period />
          Yearly <span>Save 20%</span>
        </label>
      </fieldset>
      <div className="plans">
        {plans.map(({ id, name, price, summary, features, recommended }) => (
          <article key={id} className={recommended ? 'best' : undefined}>
            {recommended && <span className="flag">Popular</span>}
            <Heading>{name}</Heading>
            <p className="for">{summary}</p>
            <p className="price">
              <span className="monthly">
                <b>{formatPlanPrice(price).monthly}</b> per month
              </span>
              <span className="yearly">
                <b>{formatPlanPrice(price).yearly}</b> per year
              </span>
            </p>
            <a className={recommended ? 'button primary' : 'button'} href={`/subscription?plan=${id}`}>
              Start {name}
            </a>
            <ul>
              {features.map((feature) => (
                <li key={feature}>{feature}</li>
              ))}
            </ul>
          </article>
        ))}
      </div>
      <p className="small plan-note monthly">30-day free trial on every plan. Cancel anytime.</p>
      <p className="small plan-note yearly">
        Plans you start here are billed by the month.{' '}
        <MailLink isSales subject="Yearly billing">
          Contact Sales
        </MailLink>{' '}
        to pay by the year.
      </p>
    </div>
  )
}

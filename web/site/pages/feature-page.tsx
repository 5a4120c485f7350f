import { MailLink, StartButton } from '#web/site/parts.tsx'
import { Picture } from '#web/site/picture.tsx'
import { type Feature, features } from './features.ts'

/** A feature page: what it does, a picture of it, figures of the sample practice, and the other features. */
export function FeaturePage({ feature }: { feature: Feature }) {
  return (
    <>
      <section className="hero wrap hero-words">
        <p className="kicker">{feature.name}</p>
        <h1>{feature.headline}</h1>
        <p className="lead">{feature.lead}</p>
        <p className="actions">
          <StartButton>Start Free Trial</StartButton>
          <a className="button" href="/demo">
            Try Live Demo
          </a>
          <MailLink isSales className="button" subject="Schedule a demo">
            Schedule Demo
          </MailLink>
        </p>
      </section>
      <section className="stage stage-plain" aria-label="Picture">
        <div className="wrap">
          <Picture {...feature.picture} isLazy={false} />
        </div>
      </section>
      <section className="wrap section" aria-labelledby="parts">
        <h2 id="parts">What it does</h2>
        <ul className="features two">
          {feature.parts.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </section>
      {feature.roles && (
        <section className="wrap section roles" aria-labelledby="roles">
          <h2 id="roles">Five roles</h2>
          <dl>
            {feature.roles.map(({ title, text }) => (
              <div key={title}>
                <dt>{title}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {feature.figures && (
        <section className="deep" aria-labelledby="figures">
          <div className="wrap section">
            <h2 id="figures">In the sample practice</h2>
            <ul className="figures">
              {feature.figures.map(({ value, label }) => (
                <li key={label}>
                  <b>{value}</b> {label}
                </li>
              ))}
            </ul>
            <p className="small">Examples from the sample practice that comes with Everchart, not promises.</p>
          </div>
        </section>
      )}
      <section className="wrap section" aria-labelledby="more">
        <h2 id="more">More of Everchart</h2>
        <ul className="more">
          {features
            .filter(({ path }) => path !== feature.path)
            .map(({ path, name, headline }) => (
              <li key={path}>
                <a href={path}>
                  <b>{name}</b> {headline}
                </a>
              </li>
            ))}
        </ul>
      </section>
    </>
  )
}

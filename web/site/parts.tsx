import type { ReactNode } from 'react'
import { placeholders } from './placeholders.ts'

type MailLinkProps = { subject: string; children: ReactNode; className?: string; isSales?: boolean }

/**
 * Link that writes to the operator. On an installation without an address, it leads to Create Free Account when it is about
 * sales, and to the help otherwise.
 */
export function MailLink({ subject, children, className, isSales = false }: MailLinkProps) {
  const address = isSales ? placeholders.sales : placeholders.contact
  return (
    <a className={className} href={`mailto:${address}?subject=${encodeURIComponent(subject)}`}>
      {children}
    </a>
  )
}

/** Button to the registration; for signed-in users, to their dashboard. */
export function StartButton({ children }: { children: ReactNode }) {
  return (
    <>
      <a className="button primary" href="/auth?tab=register" data-signed-out>
        {children}
      </a>
      <a className="button primary" href="/dashboard" data-signed-in hidden>
        Open Dashboard
      </a>
    </>
  )
}

/** The two ways into the product, as buttons. */
export function StartButtons() {
  return (
    <p className="actions">
      <StartButton>Create Free Account</StartButton>
      <a className="button" href="/demo">
        View Live Demo
      </a>
    </p>
  )
}

type TextPageProps = { title: string; lead: string; children: ReactNode }

/** Frame of a page to read. */
export function TextPage({ title, lead, children }: TextPageProps) {
  return (
    <article className="wrap text-page">
      <h1>{title}</h1>
      <p className="lead">{lead}</p>
      {children}
    </article>
  )
}

/** Note of a legal page: its operator is responsible for the text. */
export function TemplateNote() {
  return (
    <p className="note">
      This page is a template that comes with Everchart. The operator of this installation must adapt it.
    </p>
  )
}

import * as texts from '@deeb/texts/site'
import { TESTIMONIALS } from './testimonials.ts'

/** Examples. The server replaces what is marked with `data-quote` by the quotes in SITE_DIR. */
export function Testimonials() {
  return (
    <section className="page section" aria-labelledby="testimonials">
      <h2 id="testimonials" className="sr-only">
        {texts.quotes()}
      </h2>
      <div className="testimonials">
        {TESTIMONIALS.map(({ quote, role }) => (
          <figure key={role()} className="testimonial">
            <blockquote className="quote" data-quote="text">
              {quote()}
            </blockquote>
            <figcaption className="small" data-quote="author">
              {role()} <span className="testimonial-example">{texts.example()}</span>
            </figcaption>
          </figure>
        ))}
      </div>
    </section>
  )
}

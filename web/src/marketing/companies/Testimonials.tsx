import { TESTIMONIALS } from './testimonials.ts'

/** Examples. The server replaces what is marked with `data-quote` by the quotes in SITE_DIR. */
export function Testimonials() {
  return (
    <section className="page section" aria-labelledby="testimonials">
      <h2 id="testimonials" className="sr-only">
        what people say
      </h2>
      <div className="testimonials">
        {TESTIMONIALS.map(({ words, role }) => (
          <figure key={role} className="testimonial">
            <blockquote className="quote" data-quote="text">
              “{words}”
            </blockquote>
            <figcaption className="small" data-quote="author">
              {role} <span className="testimonial-example">example</span>
            </figcaption>
          </figure>
        ))}
      </div>
    </section>
  )
}

/* template - see template.h.
 */
#include "text/template.h"

bool template_add(template_form *f, int32_t id, int32_t type) {
    if (f->count == TEMPLATE_MOST) return false;
    f->pieces[f->count++] = (template_piece){.id = id, .type = type};
    return true;
}

bool template_finish(template_form *f, int texts) {
    int seen = 0;
    f->added = 0;
    for (template_piece *p = f->pieces; p < f->pieces + f->count; p++) {
        if (p->id >= 0) {
            p->special = seen ? SPECIAL_CLOSES : SPECIAL_OPENS;
            p->segment = seen ? seen - 1 : 0;
            f->added++;
        } else if (p->id == (seen ? TEMPLATE_B : TEMPLATE_A) && seen < texts) {
            p->special = 0;
            p->segment = seen++;
        } else {
            return false;
        }
    }
    return seen == texts;
}

void template_usual(template *t, int32_t cls, int32_t sep, bool doubled) {
    for (int pair = 0; pair < 2; pair++) {
        template_form *f = &t->of[pair];
        int32_t last = pair && !doubled;
        *f = (template_form){.count = 0};
        template_add(f, cls, 0);
        template_add(f, TEMPLATE_A, 0);
        template_add(f, sep, 0);
        if (pair && doubled) template_add(f, sep, 0);
        if (pair) template_add(f, TEMPLATE_B, last);
        if (pair) template_add(f, sep, last);
        template_finish(f, 1 + pair);
    }
}

void template_none(template *t) {
    for (int pair = 0; pair < 2; pair++) {
        template_form *f = &t->of[pair];
        *f = (template_form){.count = 0};
        template_add(f, TEMPLATE_A, 0);
        if (pair) template_add(f, TEMPLATE_B, 1);
        template_finish(f, 1 + pair);
    }
}

int template_special(const template *t, int32_t id) {
    for (const template_form *f = t->of; f < t->of + 2; f++)
        for (int i = 0; i < f->count; i++)
            if (id >= 0 && f->pieces[i].id == id) return f->pieces[i].special;
    return 0;
}

int32_t template_first(const template *t, int special) {
    for (const template_form *f = t->of; f < t->of + 2; f++)
        for (int i = 0; i < f->count; i++)
            if (f->pieces[i].id >= 0 && f->pieces[i].special == special) return f->pieces[i].id;
    return -1;
}

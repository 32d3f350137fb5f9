#pragma once
// Moves on orders: one item goes to another place, and the items between close up. A task's costs define the change of
// the loss:
//
//   words(instance)                    words of tables
//   (instance, tables)                 constructor
//   look(team, order)                  reads an order and returns its loss; synced
//   each_place(order, from, offer)     calls offer(to, change of the loss) for the places where the item at `from` may
//                                      go
//   objective(loss)

#include <cstdint>

#include "kernels/search/local_search.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

template <class Task, class Costs>
class insertions {
public:
    OPTGAP_HD static std::int64_t image_words(words_view on) { return (std::int64_t(Task::size(on)) + 1) / 2 * 2; }
    OPTGAP_HD static std::int64_t table_words(words_view on) { return Costs::words(on); }
    OPTGAP_HD static std::int32_t things(words_view on) { return Task::size(on); }

    OPTGAP_HD insertions(words_view on, std::int32_t* image, std::int32_t* tables)
        : costs_(on, tables), n_(Task::size(on)), order_(image) {}

    template <class Team>
    OPTGAP_HD void prepare(Team&) const {}
    template <class Team>
    OPTGAP_HD void look(Team& team) const {
        costs_.look(team, order_);
    }
    template <class Team>
    OPTGAP_HD std::int64_t begin(Team& team, answer_view answer) const {
        team.each(n_, [&](std::int64_t i) { order_[i] = answer.values[i]; });
        team.sync();
        return costs_.look(team, order_);
    }
    [[nodiscard]] OPTGAP_HD std::int64_t objective(std::int64_t loss) const { return costs_.objective(loss); }
    template <class Team>
    OPTGAP_HD std::int64_t write(Team& team, std::int32_t* answer) const {
        team.each(n_, [&](std::int64_t i) { answer[1 + i] = order_[i]; });
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        team.sync();
        return 1 + std::int64_t(n_);
    }

    [[nodiscard]] OPTGAP_HD std::int32_t rows() const { return n_; }
    [[nodiscard]] OPTGAP_HD std::int32_t width() const { return n_; }
    template <class Offer>
    OPTGAP_HD void each_move(std::int32_t from, Offer const& offer) const {
        costs_.each_place(order_, from, offer);
    }
    [[nodiscard]] OPTGAP_HD search::moved_things moved(std::int32_t move) const { return {order_[move / n_]}; }
    template <class Team>
    OPTGAP_HD void apply(Team& team, std::int32_t move) const {
        if (team.rank() == 0) {
            std::int32_t at = move / n_;
            std::int32_t const to = move % n_;
            std::int32_t const thing = order_[at];
            for (; at < to; ++at) {
                order_[at] = order_[at + 1];
            }
            for (; at > to; --at) {
                order_[at] = order_[at - 1];
            }
            order_[to] = thing;
        }
        team.sync();
        costs_.look(team, order_);
    }

private:
    Costs costs_;
    std::int32_t n_;
    std::int32_t* order_;
};

}  // namespace families
OPTGAP_KERNELS_END

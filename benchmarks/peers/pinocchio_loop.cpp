// Copyright 2026 The free_flyer_dynamics authors
// SPDX-License-Identifier: Apache-2.0

// Pinocchio's forward dynamics and an RK4 step on it, in C++ loops that Python times.

#include <chrono>
#include <string>
#include <vector>

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/multibody.hpp>

namespace
{
using Eigen::VectorXd;
using Map = Eigen::Map<VectorXd>;

struct Flyer
{
  pinocchio::Model model;
  pinocchio::Data data;
  VectorXd q, v, tau, stage_q, stage_v, mean_v, mean_a;
  VectorXd v_at[4], a_at[4];
  std::vector<pinocchio::JointIndex> made;
  std::vector<pinocchio::RigidConstraintModel> welds;
  std::vector<pinocchio::RigidConstraintData> weld_data;
  pinocchio::ProximalSettings settings;  // one solution, undamped: the quickest there is

  // Row 0 is the base; body i + 1 hangs by joint i, about or along axis 0, 1 or 2, on body parent[i].
  Flyer(
    int n, const long * parent, const long * axis, const bool * slides, const double * rotation,
    const double * position, const double * mass, const double * center, const double * inertia)
  {
    namespace pin = pinocchio;
    using Matrix = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
    const auto body = [&](int i) {
        return pin::Inertia(
          mass[i], Eigen::Map<const pin::SE3::Vector3>(center + 3 * i),
          pin::SE3::Matrix3(Eigen::Map<const Matrix>(inertia + 9 * i)));
      };
    const pin::SE3 here = pin::SE3::Identity();
    made.push_back(model.addJoint(0, pin::JointModelFreeFlyer(), here, "base"));
    model.appendBodyToJoint(made[0], body(0), here);
    for (int i = 0; i < n; ++i) {
      const pin::SE3 mount(
        pin::SE3::Matrix3(Eigen::Map<const Matrix>(rotation + 9 * i)),
        Eigen::Map<const pin::SE3::Vector3>(position + 3 * i));
      const std::string name = "joint" + std::to_string(i);
      const pin::JointIndex on = made[parent[i]];
      const pin::JointModel kinds[] = {
        pin::JointModelRX(), pin::JointModelRY(), pin::JointModelRZ(),
        pin::JointModelPX(), pin::JointModelPY(), pin::JointModelPZ()};
      made.push_back(model.addJoint(on, kinds[axis[i] + (slides[i] ? 3 : 0)], mount, name));
      model.appendBodyToJoint(made.back(), body(i + 1), here);
    }
    model.gravity.setZero();
    data = pin::Data(model);
    q = stage_q = pin::neutral(model);
    v = tau = stage_v = mean_v = mean_a = VectorXd::Zero(model.nv);
    for (int i = 0; i < 4; ++i) {
      v_at[i] = a_at[i] = v;
    }
  }

  // Body 0 is the base; they are joined where they now are.
  void weld(int a, int b)
  {
    namespace pin = pinocchio;
    pin::forwardKinematics(model, data, q);
    const pin::SE3 seen = data.oMi[made[b]].actInv(data.oMi[made[a]]);
    welds.emplace_back(pin::CONTACT_6D, model, made[a], pin::SE3::Identity(), made[b], seen);
    weld_data.clear();
    for (const auto & each : welds) {
      weld_data.emplace_back(each);
    }
    pin::initConstraintDynamics(model, data, welds, weld_data);
  }

  const VectorXd & accelerate(const VectorXd & at_q, const VectorXd & at_v)
  {
    if (!welds.empty()) {
      return pinocchio::constraintDynamics(
        model, data, at_q, at_v, tau, welds, weld_data, settings);
    }
    return pinocchio::aba(model, data, at_q, at_v, tau, pinocchio::Convention::LOCAL);
  }

  // Velocities of the stages are averaged in the tangent space, as MuJoCo does it.
  void step(double h)
  {
    v_at[0] = v;
    a_at[0] = accelerate(q, v);
    for (int i = 1; i < 4; ++i) {
      const double reach = i == 3 ? h : 0.5 * h;
      stage_v.noalias() = reach * v_at[i - 1];
      pinocchio::integrate(model, q, stage_v, stage_q);
      v_at[i].noalias() = v + reach * a_at[i - 1];
      a_at[i] = accelerate(stage_q, v_at[i]);
    }
    mean_v.noalias() = h / 6 * (v_at[0] + 2 * (v_at[1] + v_at[2]) + v_at[3]);
    mean_a.noalias() = h / 6 * (a_at[0] + 2 * (a_at[1] + a_at[2]) + a_at[3]);
    pinocchio::integrate(model, q, mean_v, stage_q);
    q = stage_q;
    pinocchio::normalize(model, q);
    v += mean_a;
  }
};

double since(std::chrono::steady_clock::time_point start)
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
}  // namespace

#pragma GCC visibility push(default)
extern "C" {
void * flyer_new(
  int n, const long * parent, const long * axis, const bool * slides, const double * rotation,
  const double * position, const double * mass, const double * center, const double * inertia)
{
  return new Flyer(n, parent, axis, slides, rotation, position, mass, center, inertia);
}

void flyer_delete(void * handle) {delete static_cast<Flyer *>(handle);}

void flyer_set(void * handle, const double * q, const double * v, const double * tau)
{
  Flyer & flyer = *static_cast<Flyer *>(handle);
  flyer.q = Eigen::Map<const VectorXd>(q, flyer.model.nq);
  flyer.v = Eigen::Map<const VectorXd>(v, flyer.model.nv);
  flyer.tau = Eigen::Map<const VectorXd>(tau, flyer.model.nv);
}

void flyer_weld(void * handle, int a, int b) {static_cast<Flyer *>(handle)->weld(a, b);}

void flyer_open(void * handle) {static_cast<Flyer *>(handle)->welds.clear();}

void flyer_get(void * handle, double * q, double * v, double * a)
{
  Flyer & flyer = *static_cast<Flyer *>(handle);
  Map(q, flyer.model.nq) = flyer.q;
  Map(v, flyer.model.nv) = flyer.v;
  Map(a, flyer.model.nv) = flyer.data.ddq;
}

// Seconds for count calls, each depending on the one before.
double flyer_accelerate(void * handle, long count)
{
  Flyer & flyer = *static_cast<Flyer *>(handle);
  const auto start = std::chrono::steady_clock::now();
  const int last = flyer.model.nv - 1;
  for (long i = 0; i < count; ++i) {
    flyer.v[last] += 1e-12 * flyer.accelerate(flyer.q, flyer.v)[last];
  }
  return since(start);
}

double flyer_step(void * handle, double h, long count)
{
  Flyer & flyer = *static_cast<Flyer *>(handle);
  const auto start = std::chrono::steady_clock::now();
  for (long i = 0; i < count; ++i) {
    flyer.step(h);
  }
  return since(start);
}
}
#pragma GCC visibility pop
